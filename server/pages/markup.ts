/** Builds HTML that is escaped by construction: values in a template are text unless a template produced them. With the security headers of every page. */

/** HTML produced by a template. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** The values of a template: text is escaped, lists are joined, and absent values are empty. */
export type Content = Markup | string | number | false | null | undefined | readonly Content[];

function render(content: Content): string {
  if (content instanceof Markup) return content.text;
  if (content === false || content === null || content === undefined) return "";
  if (typeof content === "string") return escapeHtml(content);
  return typeof content === "number" ? String(content) : content.map(render).join("");
}

/** `` html`<p>${text}</p>` ``. Attribute values must be quoted. */
export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  let text = strings[0] ?? "";
  for (const [index, content] of contents.entries()) text += render(content) + (strings[index + 1] ?? "");
  return new Markup(text);
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
