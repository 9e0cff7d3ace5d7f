// Makes a template from a PDF without tags, places fields next to its words, and sends it with values that are filled in.
//   COUNTERSIGN_URL=https://sign.example.com COUNTERSIGN_API_KEY=lk_… java Main.java
// The key has the scope envelopes:write.
// note.pdf is a download of the service: /docs/downloads/note.pdf
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

  /** The sender fills in the first two fields, and the borrower cannot change them. The date can be changed. */
  static final String FIELDS = """
      [
        {"name": "Borrower", "type": "text", "role": "Borrower", "settings": {"sender_fills": true},
         "placement": {"mode": "anchor", "anchor_text": "Borrower:", "offset_x": 0.15, "w": 0.4, "h": 0.02}},
        {"name": "Amount", "type": "number", "role": "Borrower", "settings": {"sender_fills": true, "places": 2, "unit": "EUR"},
         "placement": {"mode": "anchor", "anchor_text": "Amount:", "offset_x": 0.15, "w": 0.3, "h": 0.02}},
        {"name": "Due on", "type": "date", "role": "Borrower",
         "placement": {"mode": "anchor", "anchor_text": "Due on:", "offset_x": 0.15, "w": 0.3, "h": 0.02}},
        {"name": "Borrower signature", "type": "signature", "role": "Borrower", "required": true,
         "placement": {"mode": "anchor", "anchor_text": "Signature of the borrower:", "offset_x": 0.25, "w": 0.3, "h": 0.04}}
      ]
      """;

  public static void main(String[] args) throws Exception {
    var template = value(upload("/partner/templates", "note.pdf", Map.of("name", "Promissory note", "fields_json", FIELDS)), "template_id");
    System.out.println(template + " has its fields");

    var envelope = value(post("/partner/envelopes", """
        {
          "envelope_name": "Promissory note 17", "customer_name": "Ann", "customer_email": "ann@example.com",
          "template_id": "%s", "external_id": "loan-17",
          "prefilled_data": {"Borrower": "Ann Example", "Amount": "12000", "Due on": "2027-12-31"}
        }
        """.formatted(template)), "envelope_id");
    post("/partner/envelopes/" + envelope + "/send", """
        {"signers": [{"email": "ann@example.com", "name": "Ann", "role": "Borrower"}]}
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
