<?php
/**
 * Verifies the signature of a webhook delivery, in PHP (8.0 or later; nothing to install).
 *
 *   FISCAL_WEBHOOK_SECRET=whsec_… php verify.php "t=…,v1=…" < body.json
 */
declare(strict_types=1);

const TOLERANCE_SECONDS = 300;
/** While secrets are being replaced, a delivery has a signature for each valid secret, at most eight. */
const SIGNATURES_MAX = 8;

/**
 * Whether the sender of $body has $secret and signed it just now. $header is the value of service-signature
 * ($_SERVER['HTTP_SERVICE_SIGNATURE']). $body must be the raw bytes (file_get_contents('php://input')): decoding and encoding
 * them again changes them.
 */
function is_genuine(string $secret, string $header, string $body, ?int $now = null): bool
{
    $timestamp = '';
    $signatures = [];
    foreach (array_map('trim', explode(',', $header)) as $element) {
        if ($timestamp === '' && str_starts_with($element, 't=')) {
            $timestamp = substr($element, 2);
        } elseif (str_starts_with($element, 'v1=')) {
            $signatures[] = substr($element, 3);
        }
    }
    if (preg_match('/\A[0-9]{1,12}\z/', $timestamp) !== 1) {
        return false;
    }
    // Recorded deliveries cannot be replayed later.
    if (abs(($now ?? time()) - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    // The key is the complete text of the secret, including whsec_.
    $expected = hash_hmac('sha256', $timestamp . '.' . $body, $secret);
    foreach (array_slice($signatures, 0, SIGNATURES_MAX) as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

if (PHP_SAPI === 'cli' && realpath($argv[0]) === __FILE__) {
    $secret = getenv('FISCAL_WEBHOOK_SECRET');
    $isGenuine = is_genuine($secret === false ? '' : $secret, $argv[1] ?? '', (string) file_get_contents('php://stdin'));
    echo $isGenuine ? "genuine\n" : "refused\n";
    exit($isGenuine ? 0 : 1);
}
