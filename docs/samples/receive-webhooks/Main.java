// Receives webhooks: verifies each delivery over its exact bytes, and handles each event once.
//   WEBHOOK_SECRET=whsec_… PORT=4000 java Main.java
import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Main {
  /** Deliveries arrive at least once. A real receiver keeps the ids in its database, together with what it does. */
  static final Set<String> SEEN = ConcurrentHashMap.newKeySet();

  public static void main(String[] args) throws Exception {
    var port = Integer.parseInt(System.getenv("PORT"));
    var server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    server.createContext("/", exchange -> {
      try (exchange) {
        var body = exchange.getRequestBody().readAllBytes();
        var fault = fault(exchange.getRequestHeaders(), body);
        if (fault == null) {
          var id = exchange.getRequestHeaders().getFirst("webhook-id");
          if (SEEN.add(id)) System.out.println(value(body, "event_type") + " " + id);
          exchange.sendResponseHeaders(204, -1);
        } else {
          exchange.sendResponseHeaders(400, 0);
          exchange.getResponseBody().write(fault.getBytes(UTF_8));
        }
      } catch (GeneralSecurityException error) {
        throw new IllegalStateException(error);
      }
    });
    server.start();
    System.out.println("http://localhost:" + port);
  }

  /** Why a delivery is refused, or null. The signature is HMAC-SHA256 over id.timestamp.body. */
  static String fault(Headers headers, byte[] body) throws GeneralSecurityException {
    var timestamp = headers.getFirst("webhook-timestamp");
    if (timestamp == null || !timestamp.matches("\\d{1,12}")) return "webhook-timestamp is missing";
    if (Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(timestamp)) > 300) return "more than five minutes off";
    // The key is the part of the secret after whsec_, decoded.
    var key = Base64.getDecoder().decode(System.getenv("WEBHOOK_SECRET").substring("whsec_".length()));
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    mac.update((headers.getFirst("webhook-id") + "." + timestamp + ".").getBytes(UTF_8));
    var expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(UTF_8);
    var signatures = headers.getFirst("webhook-signature");
    // There are two signatures while a secret is being rotated. One match is enough.
    for (var signature : signatures == null ? new String[0] : signatures.split(" ")) {
      if (MessageDigest.isEqual(signature.getBytes(UTF_8), expected)) return null;
    }
    return "wrong signature";
  }

  static String value(byte[] json, String name) {
    var found = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(new String(json, UTF_8));
    return found.find() ? found.group(1) : "";
  }
}
