/** Builds HTML that is escaped by construction: values in a template are text unless a template produced them. */
import { escapeHtml } from "./html.ts";

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
