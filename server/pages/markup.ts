/**
 * Builds HTML that is escaped by construction: values in a template are text unless a template produced them. A page is built once for
 * both languages, and written in one of them. With the security headers of every page.
 */
import type { Text } from "../../src/foundation/text.ts";
import type { Language } from "./language.ts";

/** HTML produced by a template, in both languages. */
export class Markup {
  readonly #strings: TemplateStringsArray;
  readonly #contents: readonly Content[];

  constructor(strings: TemplateStringsArray, contents: readonly Content[]) {
    this.#strings = strings;
    this.#contents = contents;
  }

  in(language: Language): string {
    return String.raw({ raw: this.#strings }, ...this.#contents.map((content) => render(content, language)));
  }
}

/** The values of a template: text is escaped, lists are joined, and absent values are empty. */
export type Content = Markup | Text | string | number | false | null | undefined | readonly Content[];

function render(content: Content, language: Language): string {
  if (content instanceof Markup) return content.in(language);
  if (content === false || content === null || content === undefined) return "";
  if (typeof content === "string") return escapeHtml(content);
  if (typeof content === "number") return String(content);
  return "en" in content
    ? escapeHtml(content[language])
    : content.map((item) => render(item, language)).join("");
}

/** `` html`<p>${text}</p>` ``. Attribute values must be quoted. */
export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(strings, contents);
}

function escapeHtml(text: string): string {
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

/** `formAction`: where forms of the page may post to. `more` are further directives, each after `; `. */
export function pageHeaders(formAction: "'none'" | "'self'", more = ""): Record<string, string> {
  return { ...PRIVATE_HEADERS, "content-security-policy": `${POLICY}; form-action ${formAction}${more}` };
}
