package io.rowguard.tools.cluster;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.net.ConnectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;

/**
 * Reads the web pages of HBase's servers that programs can read: {@code /jmx} and {@code /conf} on
 * the info port. Thread-safe; every request ends in time.
 */
public final class InfoPages {
  private final HttpClient client;
  private final String scheme;
  private final int timeoutSeconds;

  /**
   * @param conf says whether the pages are encrypted ({@code hbase.ssl.enabled})
   */
  public InfoPages(Configuration conf, int timeoutSeconds) {
    this.scheme = conf.getBoolean("hbase.ssl.enabled", false) ? "https" : "http";
    this.timeoutSeconds = timeoutSeconds;
    this.client =
        HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(timeoutSeconds)).build();
  }

  /**
   * The class path that a server was started with: wildcards are expanded, and jars that were put
   * there later do not show.
   */
  public String classPath(String host, int port) throws NoAnswer {
    String found = null;
    for (JsonObject bean :
        objects(host, port, "/jmx", "get=java.lang:type=Runtime::ClassPath", "beans")) {
      found = string(bean.get("ClassPath"), found);
    }
    if (found == null) {
      throw new NoAnswer("the page /jmx does not show the class path", null);
    }
    return found;
  }

  /** The numbers of all beans whose name fits a pattern, in one map. */
  public Map<String, Long> numbers(String host, int port, String pattern) throws NoAnswer {
    Map<String, Long> numbers = new LinkedHashMap<>();
    for (JsonObject bean : beans(host, port, pattern)) {
      bean.asMap()
          .forEach(
              (name, value) -> {
                if (value.isJsonPrimitive() && value.getAsJsonPrimitive().isNumber()) {
                  numbers.merge(name, value.getAsLong(), Long::sum);
                }
              });
    }
    return numbers;
  }

  /** All beans whose name fits a pattern. */
  public List<JsonObject> beans(String host, int port, String pattern) throws NoAnswer {
    return objects(host, port, "/jmx", "qry=" + pattern, "beans");
  }

  /** The whole configuration that a server runs with. */
  public Map<String, String> configuration(String host, int port) throws NoAnswer {
    Map<String, String> settings = new LinkedHashMap<>();
    for (JsonObject property : objects(host, port, "/conf", "format=json", "properties")) {
      String key = string(property.get("key"), null);
      String value = string(property.get("value"), null);
      if (key != null && value != null) {
        settings.put(key, value);
      }
    }
    return settings;
  }

  private static String string(JsonElement element, String otherwise) {
    return element != null && element.isJsonPrimitive() ? element.getAsString() : otherwise;
  }

  /** The objects in the one array of a page. */
  private List<JsonObject> objects(String host, int port, String path, String query, String array)
      throws NoAnswer {
    String text = text(host, port, path, query);
    List<JsonObject> objects = new ArrayList<>();
    try {
      JsonElement elements = JsonParser.parseString(text).getAsJsonObject().get(array);
      if (elements == null) {
        throw new NoAnswer("the page " + path + " has no " + array, null);
      }
      for (JsonElement element : elements.getAsJsonArray()) {
        objects.add(element.getAsJsonObject());
      }
      return objects;
    } catch (JsonParseException | IllegalStateException e) {
      throw new NoAnswer("the page " + path + " is not what HBase shows", e);
    }
  }

  private String text(String host, int port, String path, String query) throws NoAnswer {
    CompletableFuture<HttpResponse<String>> answer = null;
    try {
      URI uri = new URI(scheme, null, host, port, path, query, null);
      // No timeout of the request's: it ends with the headers, while a page may stop in its middle;
      // and when it is over, the client may say "connection closed locally".
      answer = client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
      HttpResponse<String> response = answer.get(timeoutSeconds, TimeUnit.SECONDS);
      if (response.statusCode() != 200) {
        throw new NoAnswer("the page " + path + " says " + response.statusCode(), null);
      }
      return response.body();
    } catch (ExecutionException e) {
      boolean isRefused = e.getCause() instanceof ConnectException;
      throw new NoAnswer(isRefused ? "cannot connect" : NoAnswer.reason(e), e);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new NoAnswer("no answer within " + timeoutSeconds + " s", e);
    } catch (URISyntaxException e) {
      throw new NoAnswer(NoAnswer.reason(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NoAnswer("interrupted", e);
    }
  }
}
