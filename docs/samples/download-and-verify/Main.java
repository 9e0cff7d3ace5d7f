// Downloads the copy, the certificate and the evidence of a vaulted envelope, and verifies the evidence offline.
//   COUNTERSIGN_URL=https://sign.example.com COUNTERSIGN_API_KEY=lk_… ENVELOPE_ID=env_… java Main.java
// The key has the scope vault:read. countersign-verify.mjs is a download of the service; its options can follow, such as --root.
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

public class Main {
  static final String API = System.getenv("COUNTERSIGN_URL") + "/api/v2";
  static final HttpClient CLIENT = HttpClient.newHttpClient();

  public static void main(String[] args) throws Exception {
    var record = "/partner/envelopes/" + System.getenv("ENVELOPE_ID") + "/vault";

    System.out.println(value(get(record), "hash"));

    // Each download is recorded before its first byte is sent.
    Files.write(Path.of("copy.pdf"), get(record + "/copy"));
    Files.write(Path.of("certificate.pdf"), get(record + "/certificate"));
    Files.write(Path.of("evidence.zip"), get(record + "/evidence"));

    // 0: verified. 3: nothing is wrong, but no --root was given. 5: a record of a sandbox. 1: do not rely on it.
    var command = new ArrayList<>(List.of("node", "countersign-verify.mjs", "evidence.zip"));
    command.addAll(List.of(args));
    var outcome = new ProcessBuilder(command).inheritIO().start().waitFor();
    System.out.println("exit code " + outcome);
    System.exit(outcome);
  }

  /** Sends a request and returns the body of its response. After 429 it waits as Retry-After says, nine times at most. */
  static byte[] get(String path) throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(URI.create(API + path)).header("X-API-Key", System.getenv("COUNTERSIGN_API_KEY")).build();
    for (var attempt = 1; ; attempt++) {
      var response = CLIENT.send(request, HttpResponse.BodyHandlers.ofByteArray());
      if (attempt < 10 && response.statusCode() == 429) {
        Thread.sleep(1000 * response.headers().firstValueAsLong("Retry-After").orElse(60));
        continue;
      }
      if (response.statusCode() >= 400) {
        throw new IOException(path + ": " + response.statusCode() + " " + new String(response.body(), UTF_8));
      }
      return response.body();
    }
  }

  /** The first text with this name. For more than a sample, use a JSON library. */
  static String value(byte[] answer, String name) {
    var found = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(new String(answer, UTF_8));
    if (!found.find()) throw new IllegalStateException("The response has no " + name);
    return found.group(1);
  }
}
