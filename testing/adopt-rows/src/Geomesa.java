import java.util.Date;
import java.util.UUID;
import org.geotools.api.feature.simple.SimpleFeatureType;
import org.locationtech.geomesa.features.ScalaSimpleFeature;
import org.locationtech.geomesa.index.api.IndexKeySpace;
import org.locationtech.geomesa.index.api.ShardStrategy;
import org.locationtech.geomesa.index.api.ShardStrategy$;
import org.locationtech.geomesa.index.api.WritableFeature;
import org.locationtech.geomesa.index.conf.ColumnGroups;
import org.locationtech.geomesa.index.index.id.IdIndexKeySpace;
import org.locationtech.geomesa.index.index.z2.Z2IndexKeySpace;
import org.locationtech.geomesa.index.index.z3.Z3IndexKeySpace;
import org.locationtech.geomesa.utils.geotools.SimpleFeatureTypes;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.GeometryFactory;

/** Rows of points by the key spaces that all stores of GeoMesa share. */
final class Geomesa {
  private static final GeometryFactory POINTS = new GeometryFactory();

  private Geomesa() {}

  public static void main(String[] args) throws ReflectiveOperationException {
    System.setOut(System.err);
    String ships = "name:String,dtg:Date,*geom:Point:srid=4326";
    SimpleFeatureType type = SimpleFeatureTypes.createType("ships", ships);
    for (int shards : new int[] {4, 60}) {
      printPoints(shards, type);
    }
    // Ids as 16 bytes.
    printPoints(4, SimpleFeatureTypes.createType("ships", ships + ";geomesa.fid.uuid='true'"));
    print("id", 0, type, new IdIndexKeySpace(type));
  }

  private static void printPoints(int shards, SimpleFeatureType type)
      throws ReflectiveOperationException {
    ShardStrategy strategy = ShardStrategy$.MODULE$.apply(shards);
    print("z3", shards, type, new Z3IndexKeySpace(type, strategy, "geom", "dtg"));
    print("z2", shards, type, new Z2IndexKeySpace(type, strategy, "geom"));
  }

  private static void print(
      String kind, int shards, SimpleFeatureType type, IndexKeySpace<?, ?> keys)
      throws ReflectiveOperationException {
    WritableFeature.FeatureWrapper<WritableFeature> wrapper =
        WritableFeature.wrapper(type, new ColumnGroups());
    boolean isUuid = type.getUserData().containsKey("geomesa.fid.uuid");
    for (int n = 0; n < 12; n++) {
      String name = n % 2 == 0 ? "ship-" + n : "é" + n * 7919;
      String id = isUuid ? new UUID(n * 7919L * 7919, -n).toString() : name;
      ScalaSimpleFeature feature = new ScalaSimpleFeature(type, id, null, null);
      feature.setAttribute("name", "n" + n);
      feature.setAttribute("dtg", new Date(Rows.DAY + n * 86_400_000L * 5));
      feature.setAttribute(
          "geom", POINTS.createPoint(new Coordinate(-180 + n * 31, 90 - n * 15.5)));
      WritableFeature writable = wrapper.wrap(feature, false);
      Object key = keys.toIndexKey(writable, new byte[0], writable.id(), false);
      // Of a Scala package object, whose classes Java cannot name.
      byte[] row = (byte[]) key.getClass().getMethod("row").invoke(key);
      Rows.print("geomesa", kind, shards == 0 ? "" : "shards=" + shards, row);
    }
  }
}
