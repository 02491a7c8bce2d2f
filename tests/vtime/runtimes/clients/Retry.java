import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** java.net.http and Thread.sleep; started as one source file. */
public class Retry {
  static final String BODY = "{\"model\":\"m\",\"max_tokens\":64,"
      + "\"stream\":true,\"messages\":[{\"role\":\"user\","
      + "\"content\":\"hello\"}]}";
  static final int TRIES = 4;
  static final int READ_TIMEOUT_S = 300;

  static double waitS(int number, HttpHeaders headers) {
    double wait = headers.firstValue("retry-after")
        .map(Double::parseDouble)
        .orElseGet(() -> headers
            .firstValue("anthropic-ratelimit-unified-reset")
            .map(s -> Double.parseDouble(s)
                - System.currentTimeMillis() / 1000.0)
            .orElse(Math.pow(2, number - 1)));
    System.out.println(String.format(Locale.ROOT, "wait %.6f", wait));
    return wait;
  }

  /** Reads the stream; what takes too long is closed. */
  static int read(InputStream stream) throws Exception {
    ExecutorService reader = Executors.newSingleThreadExecutor();
    try {
      return reader.submit(() -> stream.readAllBytes().length)
          .get(READ_TIMEOUT_S, TimeUnit.SECONDS);
    } finally {
      stream.close();
      reader.shutdown();
    }
  }

  static int ask() throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest request = HttpRequest.newBuilder(URI.create(
            System.getenv("ANTHROPIC_BASE_URL") + "/v1/messages"))
        .POST(HttpRequest.BodyPublishers.ofString(BODY)).build();
    for (int number = 1; number <= TRIES; number++) {
      HttpResponse<InputStream> answer = client.send(request,
          HttpResponse.BodyHandlers.ofInputStream());
      int bytes = read(answer.body());
      if (answer.statusCode() == 200) {
        System.out.println(bytes + " bytes");
        return 0;
      }
      Thread.sleep(Math.round(waitS(number, answer.headers()) * 1000));
    }
    return 1;
  }

  public static void main(String[] words) throws Exception {
    try {
      System.exit(ask());
    } catch (TimeoutException e) {
      System.err.println("nothing was read for too long");
      System.exit(1);
    }
  }
}
