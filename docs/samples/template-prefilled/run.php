<?php
// Makes a template from a PDF without tags, places fields next to its words, and sends it with values that are filled in.
//   COUNTERSIGN_URL=https://sign.example.com COUNTERSIGN_API_KEY=lk_… php run.php
// The key has the scope envelopes:write.
// note.pdf is a download of the service: /docs/downloads/note.pdf
declare(strict_types=1);

$run = uniqid('template-prefilled-', true);

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

function field(string $name, string $type, string $anchor, float $left, float $width, array $more = []): array
{
    $placement = ['mode' => 'anchor', 'anchor_text' => $anchor, 'offset_x' => $left, 'w' => $width, 'h' => $type === 'signature' ? 0.04 : 0.02];
    return ['name' => $name, 'type' => $type, 'role' => 'Borrower', 'placement' => $placement] + $more;
}

// The sender fills in the first two fields, and the borrower cannot change them. The date can be changed.
$fields = [
    field('Borrower', 'text', 'Borrower:', 0.15, 0.4, ['settings' => ['sender_fills' => true]]),
    field('Amount', 'number', 'Amount:', 0.15, 0.3, ['settings' => ['sender_fills' => true, 'places' => 2, 'unit' => 'EUR']]),
    field('Due on', 'date', 'Due on:', 0.15, 0.3),
    field('Borrower signature', 'signature', 'Signature of the borrower:', 0.25, 0.3, ['required' => true]),
];
$template = upload('/partner/templates', 'note.pdf', ['name' => 'Promissory note', 'fields_json' => json_encode($fields)]);
echo "{$template['template_id']} has its fields\n";

$envelope = post('/partner/envelopes', [
    'envelope_name' => 'Promissory note 17',
    'customer_name' => 'Ann',
    'customer_email' => 'ann@example.com',
    'template_id' => $template['template_id'],
    'external_id' => 'loan-17',
    'prefilled_data' => ['Borrower' => 'Ann Example', 'Amount' => '12000', 'Due on' => '2027-12-31'],
]);
$id = $envelope['envelope_id'];
post("/partner/envelopes/$id/send", ['signers' => [['email' => 'ann@example.com', 'name' => 'Ann', 'role' => 'Borrower']]]);
echo "$id was sent\n";
