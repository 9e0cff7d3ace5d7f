<?php
// Sends a PDF with tags to two signers, signs for them in a sandbox, and downloads the sealed document.
//   COUNTERSIGN_URL=https://sign.example.com COUNTERSIGN_API_KEY=lk_… php run.php
// The key belongs to a sandbox and has the scopes envelopes:read, envelopes:write and esign:write.
// lease.pdf is a download of the service: /docs/downloads/lease.pdf
declare(strict_types=1);

$run = uniqid('quick-start-', true);

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

function upload(string $path, string $file, array $fields = []): array
{
    $boundary = bin2hex(random_bytes(16));
    $body = '';
    foreach ($fields as $name => $value) {
        $body .= "--$boundary\r\nContent-Disposition: form-data; name=\"$name\"\r\n\r\n$value\r\n";
    }
    $body .= "--$boundary\r\nContent-Disposition: form-data; name=\"file\"; filename=\"$file\"\r\n\r\n";
    $body .= file_get_contents($file) . "\r\n--$boundary--\r\n";
    return json_decode(call('POST', $path, "multipart/form-data; boundary=$boundary", $body), true)['data'];
}

$template = upload('/partner/templates', 'lease.pdf', ['name' => 'Lease']);

$envelope = post('/partner/envelopes', [
    'envelope_name' => 'Lease',
    'customer_name' => 'Ann',
    'customer_email' => 'ann@example.com',
    'template_id' => $template['template_id'],
]);
$id = $envelope['envelope_id'];
post("/partner/envelopes/$id/send", ['signers' => [
    ['email' => 'ann@example.com', 'name' => 'Ann', 'role' => 'Tenant'],
    ['email' => 'sam@example.com', 'name' => 'Sam', 'role' => 'Landlord'],
]]);
echo "$id was sent\n";

// In a live organization, people sign with the links in their e-mails.
$signed = post("/test/envelopes/$id/sign", ['values' => ['Tenant name' => 'Ann Example']]);
echo "$id is {$signed['status']}\n";

$size = file_put_contents('lease-signed.pdf', call('GET', "/partner/envelopes/$id/document"));
echo "lease-signed.pdf has $size bytes\n";
