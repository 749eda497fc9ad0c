import io.hgraphdb.ValueUtils;

/** Ids of vertices and edges as row keys. */
final class Hgraphdb {
  private Hgraphdb() {}

  public static void main(String[] args) {
    System.setOut(System.err);
    for (int n = 0; n < 20; n++) {
      print("vertex-" + n * 331);
      print(n * 1_000_003L - 7);
      print(n * 77 - 5);
    }
  }

  private static void print(Object id) {
    Rows.print("hgraphdb", "elements", "", ValueUtils.serializeWithSalt(id));
  }
}
