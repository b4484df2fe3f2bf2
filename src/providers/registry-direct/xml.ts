/**
 * Writes XML from the payload's tree and reads XML into plain elements. Every value stays text, because a MARK of 19 digits does not fit
 * a JavaScript number. A listing has up to 16 MB, which takes a second to read: other work goes on meanwhile.
 */
import { XMLBuilder } from "fast-xml-parser";
import { yieldToOthers } from "../../foundation/turns.ts";
import type { XmlElement } from "./answers.ts";

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

const STYLE = { attributeNamePrefix: "@_", ignoreAttributes: false } as const;
const builder = new XMLBuilder(STYLE);

/** The tree, whose only key is the root element, as a UTF-8 document. `@_` keys are attributes, arrays repeated elements. */
export function writeXml(tree: Record<string, unknown>): string {
  return DECLARATION + builder.build(tree);
}

/** The same with one element per line, for people. */
export function writeReadableXml(tree: Record<string, unknown>): string {
  return `${DECLARATION}\n${new XMLBuilder({ ...STYLE, format: true }).build(tree)}`;
}

/** The root element of `text`, as `readPortions` finds it. Other work has a turn between the portions. */
export async function readXml(text: string): Promise<XmlElement | undefined> {
  const reading = readPortions(text);
  for (;;) {
    const { done, value } = reading.next();
    if (done) return value;
    await yieldToOthers();
  }
}

/** The pieces of a document: a comment or instruction, a CDATA section, an end tag, a start tag with its attributes, or some text. */
const PIECES = [
  /<!--[^]*?-->|<\?[^]*?\?>/,
  /<!\[CDATA\[([^]*?)\]\]>/,
  /<\/([^\s<>/]+)\s*>/,
  /<([^\s<>/!?"'=]+)(?:\s[^<>"']*(?:"[^"]*"[^<>"']*|'[^']*'[^<>"']*)*|\/)?>/,
  // No more entities than are decoded in a few milliseconds; none is cut apart.
  /((?:[^<&]+|&(?:[#\w]{1,9};)?){1,5000})/,
];
const PIECE = PIECES.map(({ source }) => source).join("|");

/** Characters. Reading this many takes about ten milliseconds. */
const PORTION_LENGTH = 65_536;
/** The authority's documents have ten levels. Recursion into far deeper ones overflows the stack. */
const DEPTH_MAX = 100;

type GrowingElement = XmlElement & { children: XmlElement[] };

/**
 * Yields after each portion, and returns the root element: undefined if `text` is not one whole document, or declares a document type, so
 * that no entity is expanded. Whether attributes and names are well-formed is not checked, because nothing depends on them.
 */
export function* readPortions(
  text: string,
  portionLength = PORTION_LENGTH,
): Generator<undefined, XmlElement | undefined> {
  const next = new RegExp(PIECE, "gy");
  const document = createElement("");
  const open = [{ tag: "", element: document }];
  for (let due = portionLength; next.lastIndex < text.length; ) {
    const [whole, cdata, endTag, startTag, words = ""] = next.exec(text) ?? [];
    const inner = open.at(-1)!;
    if (whole === undefined || open.length > DEPTH_MAX) return undefined;
    if (endTag !== undefined) {
      if (inner.tag !== endTag) return undefined;
      open.pop();
    } else if (startTag !== undefined) {
      const element = createElement(startTag.slice(startTag.indexOf(":") + 1));
      inner.element.children.push(element);
      if (!whole.endsWith("/>")) open.push({ tag: startTag, element });
    } else inner.element.text += cdata === undefined ? decodeEntities(breakLines(words)) : breakLines(cdata);
    if (next.lastIndex >= due) {
      due = next.lastIndex + portionLength;
      yield;
    }
  }
  const isWhole = open.length === 1 && document.children.length === 1 && document.text.trim() === "";
  return isWhole ? document.children[0] : undefined;
}

/** XML has one kind of line break. */
function breakLines(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}

function createElement(name: string): GrowingElement {
  return { name, children: [], text: "" };
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
