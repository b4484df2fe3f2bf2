/**
 * Writes XML from the payload's tree and reads XML into plain elements, found by their local names. Every value stays
 * text, because a MARK of 19 digits does not fit a JavaScript number.
 */
import { XMLBuilder, XMLParser } from "fast-xml-parser";

/** An element: its name without prefix, its child elements in order, and its own text. */
export interface XmlElement {
  name: string;
  children: readonly XmlElement[];
  text: string;
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
const TEXT = "#text";
const CDATA = "#cdata";

const STYLE = { attributeNamePrefix: "@_", ignoreAttributes: false } as const;
const builder = new XMLBuilder(STYLE);

/**
 * Entities are decoded here instead of by the parser, which gives up after a thousand of them (a listing inside a
 * `<string>` has more) and would expand entities declared by a document type.
 */
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  removeNSPrefix: true,
  parseTagValue: false,
  trimValues: false,
  processEntities: false,
  textNodeName: TEXT,
  cdataPropName: CDATA,
  jPath: false,
});

/** The tree, whose only key is the root element, as a UTF-8 document. `@_` keys are attributes, arrays repeated elements. */
export function writeXml(tree: Record<string, unknown>): string {
  return DECLARATION + builder.build(tree);
}

/** The same with one element per line, for people. */
export function writeReadableXml(tree: Record<string, unknown>): string {
  return `${DECLARATION}\n${new XMLBuilder({ ...STYLE, format: true }).build(tree)}`;
}

/** The root element of `text`; undefined if it is not one well-formed document or declares a document type. */
export function readXml(text: string): XmlElement | undefined {
  if (/<!DOCTYPE/i.test(text)) return undefined;
  let nodes: unknown;
  try {
    nodes = parser.parse(text, true);
  } catch {
    // The library reports text that is not well-formed by throwing.
    return undefined;
  }
  const { children } = readElement("", nodes);
  return children.length === 1 ? children[0] : undefined;
}

/**
 * The parser represents an element's content as a list of objects with one key each: a child's name, or the kind of
 * text. Read in one pass, since a listing has a hundred thousand of them.
 */
function readElement(name: string, content: unknown): XmlElement {
  const children: XmlElement[] = [];
  let text = "";
  for (const node of Array.isArray(content) ? content : []) {
    for (const [key, value] of Object.entries(node as Record<string, unknown>)) {
      if (key === TEXT) text += decodeEntities(String(value));
      // A CDATA section is one text, unescaped.
      else if (key === CDATA) text += (value as [{ [TEXT]: string }])[0][TEXT];
      else children.push(readElement(key, value));
    }
  }
  return { name, children, text };
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const ENTITY = /&(?:#([0-9]{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi;
const CODE_POINT_MAX = 0x10_ff_ff;

/** In one pass, so that decoded text is not decoded again. Unknown entities stay as they are. */
function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(ENTITY, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    return code <= CODE_POINT_MAX ? String.fromCodePoint(code) : whole;
  });
}

/** The children called `name`, in order. */
export function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

/** The first descendant along `path`; undefined if there is none. */
export function find(element: XmlElement, ...path: readonly string[]): XmlElement | undefined {
  let found: XmlElement | undefined = element;
  for (const name of path) found = found?.children.find((child) => child.name === name);
  return found;
}

/** The trimmed text at the end of `path`; null if there is no such element or it is empty. */
export function textAt(element: XmlElement, ...path: readonly string[]): string | null {
  const text = find(element, ...path)?.text.trim() ?? "";
  return text === "" ? null : text;
}

/** The element as JSON for people: text, or an object of its children, with repeated ones as arrays. */
export function toJson(element: XmlElement): unknown {
  if (element.children.length === 0) return element.text.trim();
  const values = new Map<string, unknown[]>();
  for (const child of element.children) {
    const same = values.get(child.name);
    if (same === undefined) values.set(child.name, [toJson(child)]);
    else same.push(toJson(child));
  }
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all]));
}
