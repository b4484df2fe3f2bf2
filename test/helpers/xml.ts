/** Writes the payload builders' trees as XML: `@_` keys are attributes, arrays are repeated elements. */

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escape(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function writeElement(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((item: unknown) => writeElement(name, item)).join("");
  if (typeof value === "string") return `<${name}>${escape(value)}</${name}>`;
  // Numbers and null have no single text form, so the tree must contain the text itself.
  if (!isTree(value)) throw new TypeError(`The element ${name} holds neither text nor elements`);
  const entries = Object.entries(value);
  const attributes = entries
    .filter(([key]) => key.startsWith("@_"))
    .map(([key, text]) => ` ${key.slice(2)}="${escape(String(text))}"`);
  const content = entries
    .filter(([key]) => !key.startsWith("@_"))
    .map(([key, child]) => writeElement(key, child));
  return `<${name}${attributes.join("")}>${content.join("")}</${name}>`;
}

/** Writes the tree, whose only key is the root element, as a document. */
export function writeXml(tree: Record<string, unknown>): string {
  const content = Object.entries(tree).map(([name, value]) => writeElement(name, value));
  return `<?xml version="1.0" encoding="UTF-8"?>${content.join("")}`;
}
