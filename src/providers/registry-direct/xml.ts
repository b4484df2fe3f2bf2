/**
 * Writes XML from the payload's tree and reads XML into plain elements. Every value stays text, because a MARK of 19 digits does not fit
 * a JavaScript number. A listing has up to 16 MB, which takes a second to read: other work goes on meanwhile.
 */
import { XMLBuilder } from "fast-xml-parser";
import { SaxesParser } from "saxes";
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

/** Characters. Reading this many takes a few milliseconds. */
const PORTION_LENGTH = 65_536;
/** The authority's documents have ten levels. Recursion into far deeper ones overflows the stack. */
const DEPTH_MAX = 100;

type GrowingElement = XmlElement & { children: XmlElement[] };

/**
 * Yields after each portion, and returns the root element: undefined if `text` is not one whole, well-formed document, or declares a
 * document type, so that no entity is expanded.
 */
export function* readPortions(
  text: string,
  portionLength = PORTION_LENGTH,
): Generator<undefined, XmlElement | undefined> {
  const document = createElement("");
  const open = [document];
  const parser = new SaxesParser({ position: false });
  parser.on("opentag", ({ name }) => {
    if (open.length > DEPTH_MAX) throw new Error("too deep");
    const element = createElement(name.slice(name.indexOf(":") + 1));
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on("closetag", () => open.pop());
  const add = (words: string) => {
    open.at(-1)!.text += words;
  };
  parser.on("text", add);
  parser.on("cdata", add);
  parser.on("doctype", () => {
    throw new Error("a document type");
  });
  try {
    for (let at = 0; at < text.length; at += portionLength) {
      if (at > 0) yield;
      parser.write(text.slice(at, at + portionLength));
    }
    parser.close();
  } catch {
    // The library throws at the first place that is not well-formed.
    return undefined;
  }
  return document.children[0];
}

function createElement(name: string): GrowingElement {
  return { name, children: [], text: "" };
}
