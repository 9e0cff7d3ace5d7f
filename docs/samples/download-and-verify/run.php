<?php
// Downloads the copy, the certificate and the evidence of a vaulted envelope, and verifies the evidence offline.
//   COUNTERSIGN_URL=https://sign.example.com COUNTERSIGN_API_KEY=lk_… ENVELOPE_ID=env_… php run.php
// The key has the scope vault:read. countersign-verify.mjs is a download of the service; its options can follow, such as --root.
declare(strict_types=1);

/** Sends a request and returns the body of its response. After 429 it waits as Retry-After says, nine times at most. */
function get(string $path): string
{
    $http = ['header' => ['X-API-Key: ' . getenv('COUNTERSIGN_API_KEY')], 'ignore_errors' => true, 'timeout' => 60];
    for ($attempt = 1; ; $attempt++) {
        $answer = file_get_contents(getenv('COUNTERSIGN_URL') . "/api/v2$path", false, stream_context_create(['http' => $http]));
        if ($answer === false) {
            throw new RuntimeException("$path: no response");
        }
        [$status, $code, $retryAfter] = outcome($http_response_header);
        if ($attempt < 10 && $status === 429) {
            sleep($retryAfter);
            continue;
        }
        if ($status >= 400) {
            throw new RuntimeException("$path: $status $code $answer");
        }
        return $answer;
    }
}

/** Status, error code and seconds to wait, from the lines of the response. */
function outcome(array $lines): array
{
    $headers = [];
    foreach (array_slice($lines, 1) as $line) {
        [$name, $value] = explode(':', $line, 2);
        $headers[strtolower($name)] = trim($value);
    }
    return [(int) explode(' ', $lines[0])[1], $headers['x-error-code'] ?? '', (int) ($headers['retry-after'] ?? 60)];
}

$record = '/partner/envelopes/' . getenv('ENVELOPE_ID') . '/vault';

echo json_decode(get($record), true)['data']['hash'], "\n";

// Each download is recorded before its first byte is sent.
file_put_contents('copy.pdf', get("$record/copy"));
file_put_contents('certificate.pdf', get("$record/certificate"));
file_put_contents('evidence.zip', get("$record/evidence"));

// 0: verified. 3: nothing is wrong, but no --root was given. 5: a record of a sandbox. 1: do not rely on it.
$options = array_map('escapeshellarg', array_slice($argv, 1));
passthru('node countersign-verify.mjs evidence.zip ' . implode(' ', $options), $outcome);
echo "exit code $outcome\n";
exit($outcome);
