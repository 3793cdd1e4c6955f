<?php
// php -S localhost:3000 receiver.php
function verify(string $secret, array $headers, string $body): array
{
    $id = $headers['HTTP_WEBHOOK_ID'] ?? '';
    $sentAt = $headers['HTTP_WEBHOOK_TIMESTAMP'] ?? '0';
    if (abs(time() - (int) $sentAt) > 300) {
        throw new RuntimeException('too old');
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    if ($key === '') {
        throw new RuntimeException('anybody could sign with an empty secret');
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$sentAt.$body", $key, true));
    // While a secret is changed there are two signatures; either will do.
    foreach (explode(' ', $headers['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
        if (hash_equals($expected, $given)) {
            return json_decode($body, true, flags: JSON_THROW_ON_ERROR);
        }
    }
    throw new RuntimeException('wrong signature');
}

try {
    $message = verify(getenv('WEBHOOK_SECRET'), $_SERVER, file_get_contents('php://input'));
    error_log($message['type'] . ' ' . ($message['data']['orderId'] ?? ''));
    http_response_code(204);
} catch (RuntimeException | JsonException) {
    http_response_code(401);
}
