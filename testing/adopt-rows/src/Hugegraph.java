import java.lang.reflect.Method;
import org.apache.commons.configuration2.MapConfiguration;
import org.apache.hugegraph.backend.id.EdgeId;
import org.apache.hugegraph.backend.id.Id;
import org.apache.hugegraph.backend.id.IdGenerator;
import org.apache.hugegraph.backend.serializer.BinarySerializer;
import org.apache.hugegraph.backend.store.hbase.HbaseOptions;
import org.apache.hugegraph.backend.store.hbase.HbaseSerializer;
import org.apache.hugegraph.config.CoreOptions;
import org.apache.hugegraph.config.HugeConfig;
import org.apache.hugegraph.config.OptionSpace;
import org.apache.hugegraph.type.HugeType;
import org.apache.hugegraph.type.define.Directions;

/** Rows of vertices and edges, with partitions and without. */
final class Hugegraph {
  private Hugegraph() {}

  private static HbaseSerializer serializer(boolean isPartitioned, int vertices, int edges) {
    HugeConfig config = new HugeConfig(new MapConfiguration(new java.util.HashMap<>()));
    config.setProperty(HbaseOptions.HBASE_ENABLE_PARTITION.name(), isPartitioned);
    config.setProperty(HbaseOptions.HBASE_VERTEX_PARTITION.name(), vertices);
    config.setProperty(HbaseOptions.HBASE_EDGE_PARTITION.name(), edges);
    return new HbaseSerializer(config);
  }

  private static Id vertex(int n) {
    return IdGenerator.of(n % 3 + 1 + ":marko-" + n * n);
  }

  private static void vertex(String kind, String numbers, HbaseSerializer from, Id id) {
    byte[] row = from.writeId(HugeType.VERTEX, id).id().asBytes();
    Rows.print("hugegraph", kind, numbers, row);
  }

  public static void main(String[] args) throws ReflectiveOperationException {
    System.setOut(System.err);
    OptionSpace.register("core", CoreOptions.instance());
    OptionSpace.register("hbase", HbaseOptions.instance());
    for (int partitions : new int[] {10, 7, 256}) {
      HbaseSerializer serializer = serializer(true, partitions, 30);
      for (int n = 0; n < 16; n++) {
        String numbers = "partitions=" + partitions;
        vertex("vertices", numbers, serializer, vertex(n));
      }
    }
    HbaseSerializer serializer = serializer(true, 10, 30);
    HbaseSerializer plain = serializer(false, 10, 30);
    Method rowOfEdge = BinarySerializer.class.getDeclaredMethod("writeEdgeId", Id.class);
    rowOfEdge.setAccessible(true);
    for (int n = 0; n < 20; n++) {
      vertex("vertices-plain", "", plain, vertex(n));
      Directions direction = n % 4 == 3 ? Directions.IN : Directions.OUT;
      Id label = IdGenerator.of(5);
      Id edge = new EdgeId(vertex(n), direction, label, label, "", vertex(n + 1));
      byte[] row = ((Id) rowOfEdge.invoke(serializer, edge)).asBytes();
      Rows.print("hugegraph", "edges", "partitions=30", row);
      Id ofNumbers =
          new EdgeId(IdGenerator.of(n * n), direction, label, label, "", IdGenerator.of(n));
      row = ((Id) rowOfEdge.invoke(serializer, ofNumbers)).asBytes();
      Rows.print("hugegraph", "edges-any", "partitions=30", row);
    }
    vertex("vertices-plain", "", plain, IdGenerator.of("x".repeat(64)));
  }
}
