/** What the pages share below their markup: escaping, and the headers that keep them to themselves. */

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Of every page: nobody is told where it was left from, nobody frames it, nothing is kept of it. */
const PRIVATE = {
  "content-type": "text/html; charset=utf-8",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cache-control": "no-store",
} as const;

/** Styles, scripts and pictures come from this server's own files, and nothing stands inline. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** `formAction`: where a form of the page may post to. */
export function pageHeaders(formAction: "'none'" | "'self'"): Record<string, string> {
  return { ...PRIVATE, "content-security-policy": `${POLICY}; form-action ${formAction}` };
}
