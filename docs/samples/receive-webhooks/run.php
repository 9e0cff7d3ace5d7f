<?php
// Receives webhooks: verifies each delivery over its exact bytes, and handles each event once.
//   WEBHOOK_SECRET=whsec_… php -S localhost:4000 run.php
declare(strict_types=1);

/** Why a delivery is refused, or null. The signature is HMAC-SHA256 over id.timestamp.body. */
function fault(string $body): ?string
{
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!preg_match('/^\d{1,12}$/D', $timestamp)) {
        return 'webhook-timestamp is missing';
    }
    if (abs(time() - (int) $timestamp) > 300) {
        return 'more than five minutes off';
    }
    // The key is the part of the secret after whsec_, decoded.
    $key = base64_decode(substr(getenv('WEBHOOK_SECRET'), strlen('whsec_')), true);
    $signed = ($_SERVER['HTTP_WEBHOOK_ID'] ?? '') . ".$timestamp.$body";
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    // There are two signatures while a secret is being rotated. One match is enough.
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $signature) {
        if (hash_equals($expected, $signature)) {
            return null;
        }
    }
    return 'wrong signature';
}

$body = file_get_contents('php://input');
$fault = fault($body);
if ($fault !== null) {
    http_response_code(400);
    echo $fault;
    exit;
}
$event = json_decode($body, true);
// Deliveries arrive at least once. A real receiver keeps the ids in its database, together with what it does.
if (!is_dir('seen')) {
    mkdir('seen');
}
if (@mkdir("seen/{$event['event_id']}")) {
    error_log("{$event['event_type']} {$event['event_id']}");
}
http_response_code(204);
