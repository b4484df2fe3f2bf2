/** HTML escaping, and the security headers of every page. */

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** No referrer, no framing, no caching. */
const PRIVATE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cache-control": "no-store",
} as const;

/** Styles, scripts and images only from this server's files, nothing inline. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** `formAction`: where forms of the page may post to. */
export function pageHeaders(formAction: "'none'" | "'self'"): Record<string, string> {
  return { ...PRIVATE_HEADERS, "content-security-policy": `${POLICY}; form-action ${formAction}` };
}
