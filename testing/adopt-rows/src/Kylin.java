import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kylin.common.util.ByteArray;
import org.apache.kylin.cube.CubeSegment;
import org.apache.kylin.cube.cuboid.Cuboid;
import org.apache.kylin.cube.kv.CubeDimEncMap;
import org.apache.kylin.cube.kv.RowKeyEncoder;
import org.apache.kylin.cube.model.CubeDesc;
import org.apache.kylin.dimension.DimensionEncoding;
import org.apache.kylin.dimension.FixedLenDimEnc;
import org.apache.kylin.metadata.model.TblColRef;

/**
 * Rows of a cube with one dimension of six bytes. Encoder and shards are those of Kylin; what it
 * would read from its meta data is given here.
 */
final class Kylin {
  private static final int LENGTH = 6;

  private Kylin() {}

  /** A cube whose shards depend on all dimensions. */
  static final class Desc extends CubeDesc {
    @Override
    public Set<TblColRef> getShardByColumns() {
      return Set.of();
    }
  }

  /** A segment without a cube behind it. */
  static final class Segment extends CubeSegment {
    @Override
    public CubeDesc getCubeDesc() {
      return new Desc();
    }

    @Override
    public boolean isEnableSharding() {
      return true;
    }

    @Override
    public int getRowKeyPreambleSize() {
      return 2 + 8;
    }

    @Override
    public CubeDimEncMap getDimensionEncodingMap() {
      return new CubeDimEncMap(new Desc(), Map.of()) {
        @Override
        public DimensionEncoding get(TblColRef column) {
          return new FixedLenDimEnc(LENGTH);
        }
      };
    }
  }

  /** A cuboid of that dimension. */
  static final class Dimension extends Cuboid {
    private long id;

    private Dimension() {
      super(null, 0, 0);
    }

    static Dimension of(long id) throws ReflectiveOperationException {
      Field field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      Dimension dimension =
          (Dimension) ((sun.misc.Unsafe) field.get(null)).allocateInstance(Dimension.class);
      dimension.id = id;
      return dimension;
    }

    @Override
    public long getId() {
      return id;
    }

    @Override
    public byte[] getBytes() {
      return Rows.number(id, 8);
    }

    @Override
    public List<TblColRef> getColumns() {
      return List.of(TblColRef.newInnerColumn("dimension", TblColRef.InnerDataTypeEnum.LITERAL));
    }
  }

  public static void main(String[] args) throws ReflectiveOperationException {
    System.setOut(System.err);
    for (int n = 0; n < 24; n++) {
      long cuboid = 1L << n % 8;
      Segment segment = new Segment();
      segment.setTotalShards(5);
      segment.setCuboidShardNums(Map.of(cuboid, (short) 3));
      RowKeyEncoder encoder = new RowKeyEncoder(segment, Dimension.of(cuboid));
      ByteArray row = new ByteArray(encoder.createBuf());
      encoder.encode(new ByteArray(Rows.number(n * 1_000_003L, LENGTH)), row);
      Rows.print("kylin", "cube", "shards=5", row.array());
    }
  }
}
