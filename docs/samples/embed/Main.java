// A page with a document to sign, and the backend that it needs.
//   COUNTERSIGN_URL=https://sign.example.com COUNTERSIGN_API_KEY=lk_… ENVELOPE_ID=env_… SIGNER_EMAIL=ann@example.com PORT=4100 java Main.java
// The key has the scope esign:write, and stays in this program.
import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.UUID;
import java.util.regex.Pattern;

public class Main {
  static final String API = System.getenv("COUNTERSIGN_URL") + "/api/v2";
  static final HttpClient CLIENT = HttpClient.newHttpClient();

  /** Your backend takes the envelope and the person from its own session, never from the request of the browser. */
  static String embedUrl() throws IOException, InterruptedException {
    return value(post("/embed/token", """
        {"envelope_id": "%s", "user_email": "%s", "widget_type": "sign"}
        """.formatted(System.getenv("ENVELOPE_ID"), System.getenv("SIGNER_EMAIL"))), "embed_url");
  }

  static final String PAGE = """
      <!doctype html>
      <html lang="en">
      <title>Sign</title>
      <script type="module" src="%s/embed.js"></script>
      <countersign-sign src="%s" renew-url="/embed-url"></countersign-sign>
      </html>
      """;

  public static void main(String[] args) throws Exception {
    var port = Integer.parseInt(System.getenv("PORT"));
    var server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    server.createContext("/", exchange -> {
      try {
        var request = exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
        if (request.equals("GET /")) {
          answer(exchange, 200, "text/html; charset=utf-8", PAGE.formatted(System.getenv("COUNTERSIGN_URL"), embedUrl()));
        } else if (!request.equals("POST /embed-url")) {
          answer(exchange, 404, "text/plain", "not found");
        } else if ("same-origin".equals(exchange.getRequestHeaders().getFirst("Sec-Fetch-Site"))) {
          answer(exchange, 200, "application/json", "{\"embed_url\": \"" + embedUrl() + "\"}");
        } else {
          // Browsers set this header, and other sites cannot change it.
          answer(exchange, 403, "text/plain", "refused");
        }
      } catch (IOException | InterruptedException error) {
        error.printStackTrace();
        answer(exchange, 502, "text/plain", "no document to sign");
      }
    });
    server.start();
    System.out.println("http://localhost:" + port);
  }

  /** Sends a request and returns the body of its response. After 429, and while a document is not ready, it waits as Retry-After says, nine times at most. */
  static byte[] call(String method, String path, String type, byte[] body) throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(URI.create(API + path))
        .method(method, HttpRequest.BodyPublishers.ofByteArray(body))
        .header("X-API-Key", System.getenv("COUNTERSIGN_API_KEY"));
    if (method.equals("POST")) request.header("Content-Type", type).header("Idempotency-Key", UUID.randomUUID().toString());
    for (var attempt = 1; ; attempt++) {
      var response = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      var code = response.headers().firstValue("X-Error-Code").orElse("");
      if (attempt < 10 && (response.statusCode() == 429 || code.equals("document_not_ready"))) {
        Thread.sleep(1000 * response.headers().firstValueAsLong("Retry-After").orElse(60));
        continue;
      }
      if (response.statusCode() >= 400) {
        throw new IOException(method + " " + path + ": " + response.statusCode() + " " + code + " " + new String(response.body(), UTF_8));
      }
      return response.body();
    }
  }

  static byte[] post(String path, String json) throws IOException, InterruptedException {
    return call("POST", path, "application/json", json.getBytes(UTF_8));
  }

  /** The first text with this name. For more than a sample, use a JSON library. */
  static String value(byte[] answer, String name) {
    var found = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(new String(answer, UTF_8));
    if (!found.find()) throw new IllegalStateException("The response has no " + name);
    return found.group(1);
  }

  static void answer(HttpExchange exchange, int status, String type, String text) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.sendResponseHeaders(status, 0);
    try (var out = exchange.getResponseBody()) {
      out.write(text.getBytes(UTF_8));
    }
  }
}
