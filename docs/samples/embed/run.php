<?php
// A page with a document to sign, and the backend that it needs.
//   COUNTERSIGN_URL=https://sign.example.com COUNTERSIGN_API_KEY=lk_… ENVELOPE_ID=env_… SIGNER_EMAIL=ann@example.com PORT=4100 php -S localhost:4100 run.php
// The key has the scope esign:write, and stays in this program.
declare(strict_types=1);

$run = uniqid('embed-', true);

/** Sends a request and returns the body of its response. After 429, and while a document is not ready, it waits as Retry-After says, nine times at most. */
function call(string $method, string $path, string $type = '', string $body = ''): string
{
    global $run;
    $headers = ['X-API-Key: ' . getenv('COUNTERSIGN_API_KEY')];
    if ($method === 'POST') {
        array_push($headers, "Content-Type: $type", "Idempotency-Key: $run$path");
    }
    $http = ['method' => $method, 'header' => $headers, 'content' => $body, 'ignore_errors' => true, 'timeout' => 60];
    for ($attempt = 1; ; $attempt++) {
        $answer = file_get_contents(getenv('COUNTERSIGN_URL') . "/api/v2$path", false, stream_context_create(['http' => $http]));
        if ($answer === false) {
            throw new RuntimeException("$method $path: no response");
        }
        [$status, $code, $retryAfter] = outcome($http_response_header);
        if ($attempt < 10 && ($status === 429 || $code === 'document_not_ready')) {
            sleep($retryAfter);
            continue;
        }
        if ($status >= 400) {
            throw new RuntimeException("$method $path: $status $code $answer");
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

function post(string $path, array $body): array
{
    return json_decode(call('POST', $path, 'application/json', json_encode($body)), true)['data'];
}

function embedUrl(): string
{
    // Your backend takes the envelope and the person from its own session, never from the request of the browser.
    return post('/embed/token', [
        'envelope_id' => getenv('ENVELOPE_ID'),
        'user_email' => getenv('SIGNER_EMAIL'),
        'widget_type' => 'sign',
    ])['embed_url'];
}

header('Cache-Control: no-store');
if ($_SERVER['REQUEST_METHOD'] === 'GET' && $_SERVER['REQUEST_URI'] === '/') {
    [$script, $src] = [htmlspecialchars(getenv('COUNTERSIGN_URL')), htmlspecialchars(embedUrl())];
    echo <<<PAGE
        <!doctype html>
        <html lang="en">
        <title>Sign</title>
        <script type="module" src="$script/embed.js"></script>
        <countersign-sign src="$src" renew-url="/embed-url"></countersign-sign>
        </html>
        PAGE;
} elseif ($_SERVER['REQUEST_METHOD'] === 'POST' && $_SERVER['REQUEST_URI'] === '/embed-url') {
    // Browsers set this header, and other sites cannot change it.
    if (($_SERVER['HTTP_SEC_FETCH_SITE'] ?? '') !== 'same-origin') {
        http_response_code(403);
        exit;
    }
    header('Content-Type: application/json');
    echo json_encode(['embed_url' => embedUrl()]);
} else {
    http_response_code(404);
}
