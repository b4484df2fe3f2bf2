/** What the pages share: escaping, the frame, and the headers that keep them to themselves. */

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export interface PageParts {
  /** Plain text: it is escaped here. */
  title: string;
  /** HTML. */
  content: string;
}

/** A whole page. No script, nothing from elsewhere. */
export function htmlPage({ title, content }: PageParts): string {
  return `<!doctype html>
<html lang="el">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem; color: #1a1a1a; background: #fff; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.5rem; }
dt { color: #555; }
dd { margin: 0; overflow-wrap: anywhere; }
label { display: block; font-weight: 600; }
input { font: inherit; width: 100%; box-sizing: border-box; padding: .5rem; border: 1px solid #767676; border-radius: .25rem; }
button { font: inherit; padding: .6rem 1.2rem; border: 0; border-radius: .25rem; color: #fff; background: #1d4ed8; }
fieldset { border: 1px solid #d4d4d4; border-radius: .25rem; margin: 0 0 1.5rem; padding: 1rem; }
.hint { color: #555; font-size: .9rem; margin: 0 0 .25rem; }
.note { border-left: 4px solid #b45309; padding: .5rem 1rem; background: #fffbeb; }
.error { border-left: 4px solid #b91c1c; padding: .5rem 1rem; background: #fef2f2; }
</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;
}

/** A Greek sentence with the same in English below it; both are plain text. */
export function bilingual(greek: string, english: string): string {
  return `<p>${escapeHtml(greek)}<br><span lang="en">${escapeHtml(english)}</span></p>`;
}

/** `formAction`: where a form of the page may post to. */
export function pageHeaders(formAction: "'none'" | "'self'"): Record<string, string> {
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; form-action ${formAction}`,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cache-control": "no-store",
  };
}
