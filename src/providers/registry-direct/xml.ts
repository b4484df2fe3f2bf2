/**
 * Writes XML from the payload's tree and reads XML into plain elements. Every value stays text, because a MARK of 19 digits does not fit
 * a JavaScript number.
 *
 * Long texts are read without holding up everything else: parsing a listing of 16 MB takes seconds. The text is cut into portions. Each
 * begins with the tags that are open there, and closes what is still open at its end, so that it is a document itself. The parser reads
 * one at a time, and the elements are put together again. What is well-formed is thus up to the parser, as for a short text.
 */
import { XMLBuilder, XMLParser } from "fast-xml-parser";
import type { XmlElement } from "./answers.ts";
import { yieldToOthers } from "../../foundation/turns.ts";

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

/** Characters. Parsing this many takes about ten milliseconds. */
const PORTION_LENGTH = 65_536;

/** The root element as `readXml` reads it. Undefined also if one tag, comment or entity is longer than a portion. */
export async function readXmlInPortions(
  text: string,
  portionLength = PORTION_LENGTH,
): Promise<XmlElement | undefined> {
  if (text.length <= portionLength) return readXml(text);
  // `readXml` looks for it too, but two portions may have half of it each.
  if (/<!DOCTYPE/i.test(text)) return undefined;
  let root: GrowingElement | undefined;
  for (const portion of portionsOf(text, portionLength)) {
    const parsed = portion === undefined ? undefined : (readXml(portion.text) as GrowingElement | undefined);
    if (portion === undefined || parsed === undefined) return undefined;
    if (root === undefined) root = parsed;
    else append(root, parsed, portion.depth);
    await yieldToOthers();
  }
  return root;
}

interface GrowingElement extends XmlElement {
  children: GrowingElement[];
}

/** Adds what a portion has. Its first `depth` elements, each inside the one before, are the last ones of `root`. */
function append(root: GrowingElement, portion: GrowingElement, depth: number): void {
  let into = root;
  let from = portion;
  for (let level = depth; ; level -= 1) {
    into.text += from.text;
    const added = level > 1 ? from.children.slice(1) : from.children;
    const last = into.children.at(-1);
    for (const child of added) into.children.push(child);
    if (level <= 1) return;
    into = last!;
    from = from.children[0]!;
  }
}

interface Portion {
  text: string;
  /** How many elements were open where it begins. */
  depth: number;
}

/** The portions in order. Undefined if the text cannot be cut; the others are then incomplete. */
function* portionsOf(text: string, portionLength: number): Generator<Portion | undefined> {
  const open: string[] = [];
  let inCdata = false;
  let portion = { start: 0, depth: 0, beginning: "" };
  for (let at = 0; at < text.length; ) {
    const token = readToken(text.slice(at, at + portionLength), inCdata);
    if (token === undefined || token.length < 1) return yield undefined;
    const length = at - portion.start;
    if (open.length > 0 && length > 0 && length + token.length > portionLength) {
      const whole =
        portion.beginning + text.slice(portion.start, at) + (inCdata ? CDATA_END : "") + closing(open);
      yield { text: whole, depth: portion.depth };
      portion = { start: at, depth: open.length, beginning: opening(open) + (inCdata ? CDATA_START : "") };
    }
    // Outside of the root element, where only spaces and comments may be.
    if (length > 2 * portionLength) return yield undefined;
    if (token.opens !== undefined) open.push(token.opens);
    if (token.closes && open.pop() === undefined) return yield undefined;
    inCdata = token.inCdata ?? false;
    at += token.length;
  }
  yield { text: portion.beginning + text.slice(portion.start), depth: portion.depth };
}

function opening(names: readonly string[]): string {
  return names.map((name) => `<${name}>`).join("");
}

function closing(names: readonly string[]): string {
  return names
    .map((name) => `</${name}>`)
    .reverse()
    .join("");
}

const CDATA_START = "<![CDATA[";
const CDATA_END = "]]>";

/** A tag, a comment, an instruction, or as much of a text as fits. */
interface Token {
  length: number;
  /** The name of the element that it begins, with its prefix. */
  opens?: string;
  closes?: boolean;
  /** Whether it ends within a CDATA section. */
  inCdata?: boolean;
}

/** The token at the beginning of `rest`, which has as many characters as a portion; undefined if it ends later. */
function readToken(rest: string, inCdata: boolean): Token | undefined {
  if (inCdata) return readCdata(rest);
  if (!rest.startsWith("<")) return { length: lengthOfText(rest) };
  if (rest.startsWith(CDATA_START)) return { length: CDATA_START.length, inCdata: true };
  if (rest.startsWith("<!--")) return tokenUpTo(rest, "-->", 4);
  if (rest.startsWith("<?")) return tokenUpTo(rest, "?>", 2);
  if (rest.startsWith("<!")) return undefined;
  if (rest.startsWith("</")) {
    const token = tokenUpTo(rest, ">", 2);
    return token && { ...token, closes: true };
  }
  return readStartTag(rest);
}

function tokenUpTo(rest: string, end: string, from: number): Token | undefined {
  const at = rest.indexOf(end, from);
  return at === -1 ? undefined : { length: at + end.length };
}

function readCdata(rest: string): Token {
  const end = rest.indexOf(CDATA_END);
  if (end !== -1) return { length: end + CDATA_END.length };
  // Its last characters may be the beginning of the end.
  return { length: withoutReturn(rest, rest.length - CDATA_END.length + 1), inCdata: true };
}

function lengthOfText(rest: string): number {
  const end = rest.indexOf("<");
  if (end !== -1) return end;
  const entity = rest.lastIndexOf("&");
  return entity > 0 && !rest.includes(";", entity) ? entity : withoutReturn(rest, rest.length);
}

/** A carriage return and the line feed behind it are one line break, which is not cut apart. */
function withoutReturn(text: string, length: number): number {
  return length > 1 && text[length - 1] === "\r" ? length - 1 : length;
}

function readStartTag(rest: string): Token | undefined {
  const name = /^<([^\s/>]+)/.exec(rest)?.[1];
  const end = endOfTag(rest);
  if (name === undefined || end === -1) return undefined;
  return { length: end + 1, ...(rest[end - 1] === "/" ? {} : { opens: name }) };
}

/** The place of the first `>` that is not in an attribute's value; -1 if there is none. */
function endOfTag(rest: string): number {
  for (let at = 1; at < rest.length; at += 1) {
    const character = rest[at]!;
    if (character === ">") return at;
    if (character === '"' || character === "'") {
      at = rest.indexOf(character, at + 1);
      if (at === -1) return -1;
    }
  }
  return -1;
}
