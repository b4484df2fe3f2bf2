/**
 * Divides the bodies of a message that carried several documents, so that an erasure removes the parts about one customer and
 * keeps those about others (docs/contract.md#erasure).
 */
import type { LoggedExchange } from "../../logs/log-bodies.ts";
import { containsNumber, type SearchedNumber } from "./tax-number-search.ts";

/** Replaces an erased part. */
const ERASED = "[erased]";

/** The exchange without the parts that contain the number; undefined if it remains elsewhere. */
export function withoutPartsAbout(
  searched: SearchedNumber,
  exchange: LoggedExchange,
): LoggedExchange | undefined {
  const isAbout = (part: unknown) => containsNumber(part, searched);
  const divided = {
    ...exchange,
    request: withoutParts(exchange.request, isAbout),
    response: withoutParts(exchange.response, isAbout),
  };
  return isAbout(divided) ? undefined : divided;
}

function withoutParts<Side extends object>(
  side: Side | null,
  isAbout: (part: unknown) => boolean,
): Side | null {
  if (side === null || !("body" in side) || !isAbout(side.body)) return side;
  return { ...side, body: withoutPartsOf(side.body, isAbout) };
}

/** Removes elements of the outermost lists, which are one for each document. */
function withoutPartsOf(body: unknown, isAbout: (part: unknown) => boolean): unknown {
  if (typeof body === "string") return withoutElements(body, isAbout);
  if (Array.isArray(body)) return body.map((part: unknown) => (isAbout(part) ? ERASED : part));
  if (typeof body !== "object" || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, member]) => [name, withoutPartsOf(member, isAbout)]),
  );
}

interface Element {
  name: string;
  start: number;
  end: number;
}

/** Replaces the XML elements that contain the number by a comment. */
function withoutElements(xml: string, isAbout: (part: unknown) => boolean): string {
  let rest = "";
  let through = 0;
  for (const { start, end } of repeatedElements(xml)) {
    if (!isAbout(xml.slice(start, end))) continue;
    rest += `${xml.slice(through, start)}<!-- ${ERASED} -->`;
    through = end;
  }
  return rest + xml.slice(through);
}

interface OpenElement extends Element {
  children: Element[];
}

/** The outermost elements that have siblings of the same name; none if the text is not well-formed. */
function repeatedElements(xml: string): Element[] {
  const open: OpenElement[] = [{ name: "", start: 0, end: 0, children: [] }];
  let found: { depth: number; elements: Element[] } | undefined;
  for (const { 0: tag, index } of xml.matchAll(/<[^<>]*>/g)) {
    const name = /^<\/?([^\s/>!?]+)/.exec(tag)?.[1];
    if (name === undefined) continue;
    const end = index + tag.length;
    if (tag.endsWith("/>")) open.at(-1)!.children.push({ name, start: index, end });
    else if (!tag.startsWith("</")) open.push({ name, start: index, end, children: [] });
    else {
      const closed = open.pop()!;
      if (closed.name !== name || open.length === 0) return [];
      open.at(-1)!.children.push({ name, start: closed.start, end });
      const elements = closed.children.filter((one) =>
        closed.children.some((other) => other !== one && other.name === one.name),
      );
      if (elements.length > 0 && (found === undefined || open.length < found.depth))
        found = { depth: open.length, elements };
    }
  }
  return open.length === 1 ? (found?.elements ?? []) : [];
}
