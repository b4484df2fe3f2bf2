/** HTML documents, and the frame of standalone pages: connect links and sandbox documents. */
import { ASSETS } from "./assets.ts";
import { LANGUAGE_NAMES, LANGUAGES, type Language } from "./language.ts";
import { type Content, html } from "./markup.ts";

interface DocumentParts {
  language: Language;
  title: Content;
  /** Further attributes of the root. */
  attributes?: Content;
  /** After what every page has in its head. */
  head: Content;
  body: Content;
}

export function htmlDocument({ language, title, attributes, head, body }: DocumentParts): string {
  const page = html`<html lang="${language}"${attributes}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${head}
</head>
${body}
</html>
`;
  return `<!doctype html>\n${page.in(language)}`;
}

export interface Page {
  status: number;
  title: Content;
  content: Content;
  /** Whether a link can open the page in the other language; not possible for the response to a form. Default: true. */
  isSwitchable?: boolean;
  /** Paths from `ASSETS`. */
  scripts?: readonly string[];
}

/**
 * The whole page as text. `root` is the relative path from the page to the server's root, `../` for `/connect/…`; it works behind a
 * proxy with a path prefix.
 */
export function htmlPage(page: Page, language: Language, root: string): string {
  const { title, content, isSwitchable = true, scripts = [] } = page;
  const other = LANGUAGES.find((candidate) => candidate !== language)!;
  const link = html`<a href="?lang=${other}" hreflang="${other}" lang="${other}">${LANGUAGE_NAMES[other]}</a>`;
  return htmlDocument({
    language,
    title,
    head: html`<link rel="icon" type="image/svg+xml" href="${root}${ASSETS.icon}">
<link rel="stylesheet" href="${root}${ASSETS.style}">
${scripts.map((script) => html`<script src="${root}${script}" defer></script>`)}`,
    body: html`<body class="plain-page">
<header><span class="brand">fiscal</span>${isSwitchable && link}</header>
<main>
${content}
</main>
</body>`,
  });
}
