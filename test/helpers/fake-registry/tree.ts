/** A parsed message: text, or an object of its elements by name. Missing elements read as empty. */
export type XmlTree = unknown;

export function child(node: XmlTree, name: string): XmlTree {
  return typeof node === "object" && node !== null ? (node as Record<string, unknown>)[name] : undefined;
}

export function text(node: XmlTree, ...path: string[]): string {
  const found = path.reduce<unknown>(child, node);
  return typeof found === "string" ? found : "";
}

export function list(node: XmlTree, name: string): XmlTree[] {
  const found = child(node, name);
  return Array.isArray(found) ? found : [];
}

/** NaN if it is not an amount. */
export function cents(value: string): number {
  if (!/^\d{1,13}(\.\d{1,2})?$/.test(value)) return Number.NaN;
  return Math.round(Number(value) * 100);
}
