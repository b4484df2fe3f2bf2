<?php
/**
 * Checks the signature of a delivery, in PHP (8.0 or later; nothing to install).
 *
 *   FISCAL_WEBHOOK_SECRET=whsec_… php verify.php "t=…,v1=…" < body.json
 */
declare(strict_types=1);

const TOLERANCE_SECONDS = 300;
/** While secrets are replaced a delivery carries a signature for each that is live, at most eight. */
const SIGNATURES_MAX = 8;

/**
 * Whether $body was sent by whoever has $secret, now. $header is the value of service-signature
 * ($_SERVER['HTTP_SERVICE_SIGNATURE']), $body the bytes as they came (file_get_contents('php://input')): decoded and encoded
 * again they are other bytes.
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
    // A delivery that somebody kept is worth nothing later.
    if (abs(($now ?? time()) - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    // The key is the whole text of the secret, whsec_ included.
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
