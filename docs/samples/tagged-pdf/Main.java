// Sends a PDF with tags once, without a template, and prints the fields that its tags became.
//   COUNTERSIGN_URL=https://sign.example.com COUNTERSIGN_API_KEY=lk_… java Main.java
// The key has the scopes envelopes:read and envelopes:write.
// lease.pdf is a download of the service: /docs/downloads/lease.pdf
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;

public class Main {
  static final String API = System.getenv("COUNTERSIGN_URL") + "/api/v2";
  static final HttpClient CLIENT = HttpClient.newHttpClient();

  public static void main(String[] args) throws Exception {
    var envelope = value(post("/partner/envelopes", """
        {"envelope_name": "Lease", "customer_name": "Ann", "customer_email": "ann@example.com"}
        """), "envelope_id");
    upload("/partner/envelopes/" + envelope + "/upload", "lease.pdf", Map.of());

    // Each tag has become a field.
    var fields = new String(call("GET", "/partner/envelopes/" + envelope + "/fields", "", new byte[0]), UTF_8);
    var field = Pattern.compile("\"name\":\"([^\"]*)\",\"type\":\"([^\"]*)\",\"role\":\"([^\"]*)\"").matcher(fields);
    while (field.find()) System.out.println(field.group(3) + ": " + field.group(2) + ", " + field.group(1));

    post("/partner/envelopes/" + envelope + "/send", """
        {"signers": [
          {"email": "ann@example.com", "name": "Ann", "role": "Tenant"},
          {"email": "sam@example.com", "name": "Sam", "role": "Landlord"}
        ]}
        """);
    System.out.println(envelope + " was sent");
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

  static byte[] upload(String path, String file, Map<String, String> fields) throws IOException, InterruptedException {
    var boundary = UUID.randomUUID().toString();
    var form = new ByteArrayOutputStream();
    for (var field : fields.entrySet()) {
      form.write(("--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + field.getKey() + "\"\r\n\r\n"
          + field.getValue() + "\r\n").getBytes(UTF_8));
    }
    form.write(("--" + boundary + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + file + "\"\r\n\r\n").getBytes(UTF_8));
    form.write(Files.readAllBytes(Path.of(file)));
    form.write(("\r\n--" + boundary + "--\r\n").getBytes(UTF_8));
    return call("POST", path, "multipart/form-data; boundary=" + boundary, form.toByteArray());
  }

  /** The first text with this name. For more than a sample, use a JSON library. */
  static String value(byte[] answer, String name) {
    var found = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(new String(answer, UTF_8));
    if (!found.find()) throw new IllegalStateException("The response has no " + name);
    return found.group(1);
  }
}
