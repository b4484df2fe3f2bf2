/** The frame of standalone pages: connect links and sandbox documents. */
import { ASSETS } from "./assets.ts";
import { LANGUAGE_NAMES, LANGUAGES, type Language } from "./language.ts";
import { type Content, html } from "./markup.ts";

export interface PageParts {
  title: string;
  language: Language;
  /** The relative path from the page to the server's root, `../` for `/connect/…`; it works behind a proxy with a path prefix. */
  root: string;
  content: Content;
  /** Whether a link can open the page in the other language; not possible for the response to a form. */
  isSwitchable?: boolean;
  /** Paths from `ASSETS`. */
  scripts?: readonly string[];
}

/** A page to send. */
export interface Page {
  status: number;
  html: string;
}

/** The whole page as text. */
export function htmlPage({
  title,
  language,
  root,
  content,
  isSwitchable = true,
  scripts = [],
}: PageParts): string {
  const other = LANGUAGES.find((candidate) => candidate !== language)!;
  const link = html`<a href="?lang=${other}" hreflang="${other}" lang="${other}">${LANGUAGE_NAMES[other]}</a>`;
  const page = html`<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${root}${ASSETS.icon}">
<link rel="stylesheet" href="${root}${ASSETS.style}">
${scripts.map((script) => html`<script src="${root}${script}" defer></script>`)}
</head>
<body class="plain-page">
<header><span class="brand">fiscal</span>${isSwitchable && link}</header>
<main>
${content}
</main>
</body>
</html>
`;
  return `<!doctype html>\n${page.in(language)}`;
}
