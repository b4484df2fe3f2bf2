/** HTML that is escaped by construction: whatever is put into a template is text, unless a template made it. */
import { escapeHtml } from "./html.ts";

/** HTML that a template made. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What a template takes: text is escaped, lists are joined, and what is not there leaves nothing. */
export type Content = Markup | string | number | false | null | undefined | readonly Content[];

function render(content: Content): string {
  if (content instanceof Markup) return content.text;
  if (content === false || content === null || content === undefined) return "";
  if (typeof content === "string") return escapeHtml(content);
  return typeof content === "number" ? String(content) : content.map(render).join("");
}

/** `` html`<p>${text}</p>` ``. Attributes stand in quotes. */
export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  let text = strings[0] ?? "";
  for (const [index, content] of contents.entries()) text += render(content) + (strings[index + 1] ?? "");
  return new Markup(text);
}
