import java.net.MalformedURLException;
import org.apache.nutch.util.TableUtil;

/** URLs as row keys. */
final class Nutch {
  private Nutch() {}

  public static void main(String[] args) throws MalformedURLException {
    System.setOut(System.err);
    for (String host : new String[] {"www.example.com", "nutch.apache.org", "localhost"}) {
      for (String page : new String[] {"", "/", ":8080/a/b.html?x=1:2", ":81", "/index.html#top"}) {
        print("http://" + host + page);
        print("https://" + host + page);
      }
      print("ftp://" + host + ":21/pub");
    }
  }

  private static void print(String url) throws MalformedURLException {
    byte[] row = TableUtil.reverseUrl(url).getBytes(java.nio.charset.StandardCharsets.UTF_8);
    Rows.print("nutch", "webpage", "", row);
  }
}
