/**
 * XML both ways. Written from the payload's tree, so that what is sent is what preview shows; read into plain elements by
 * their local names, every value as the text that stood there: a MARK of 19 digits is no number of JavaScript's.
 */
import { XMLBuilder, XMLParser } from "fast-xml-parser";

/** An element as read: its name without a prefix, its child elements in their order, its own text. */
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
 * Entities are decoded here and not by the parser: it gives up after a thousand of them, which a listing inside a
 * `<string>` exceeds, and knows entities that a document type declares, which no answer has.
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

/** The same with a line an element, for reading. */
export function writeReadableXml(tree: Record<string, unknown>): string {
  return `${DECLARATION}\n${new XMLBuilder({ ...STYLE, format: true }).build(tree)}`;
}

/** The root element of `text`; undefined where it is not one well-formed document, or declares a document type. */
export function readXml(text: string): XmlElement | undefined {
  if (/<!DOCTYPE/i.test(text)) return undefined;
  let nodes: unknown;
  try {
    nodes = parser.parse(text, true);
  } catch {
    // How the library says that the text is not well-formed. What it read until then is worth nothing.
    return undefined;
  }
  const { children } = readElement("", nodes);
  return children.length === 1 ? children[0] : undefined;
}

/**
 * In the parser's form an element's content is a list of objects with one key each: a child's name, or what kind of text it is.
 * One pass, since a listing has a hundred thousand of them.
 */
function readElement(name: string, content: unknown): XmlElement {
  const children: XmlElement[] = [];
  let text = "";
  for (const node of Array.isArray(content) ? content : []) {
    for (const [key, value] of Object.entries(node as Record<string, unknown>)) {
      if (key === TEXT) text += decodeEntities(String(value));
      // A section has one text of its own, as it stands.
      else if (key === CDATA) text += (value as [{ [TEXT]: string }])[0][TEXT];
      else children.push(readElement(key, value));
    }
  }
  return { name, children, text };
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const ENTITY = /&(?:#([0-9]{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi;
const CODE_POINT_MAX = 0x10_ff_ff;

/** In one pass: what an entity gives is not read for entities again. What is none stays as it stands. */
function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(ENTITY, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    return code <= CODE_POINT_MAX ? String.fromCodePoint(code) : whole;
  });
}

/** The children of `name`, in their order. */
export function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

/** The first descendant along `path`; undefined where there is none. */
export function find(element: XmlElement, ...path: readonly string[]): XmlElement | undefined {
  let found: XmlElement | undefined = element;
  for (const name of path) found = found?.children.find((child) => child.name === name);
  return found;
}

/** The text at the end of `path`, without the space around it; null where there is no such element or nothing in it. */
export function textAt(element: XmlElement, ...path: readonly string[]): string | null {
  const text = find(element, ...path)?.text.trim() ?? "";
  return text === "" ? null : text;
}

/** The element as JSON for people: text, or an object of its children, repeated ones as arrays. */
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
