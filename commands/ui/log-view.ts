/** Formats a logged HTTP exchange for people: headers and bodies, or why they are missing. */
import { instantText } from "../../src/operations/view.ts";
import type { Text } from "../../src/foundation/text.ts";
import type { Language } from "../../src/foundation/text.ts";
import { printable } from "../../src/foundation/characters.ts";

/** One side of a logged exchange, as in the API. */
type Side =
  | { omitted: string }
  | {
      method?: string;
      url?: string;
      path?: string;
      status?: number;
      headers: Readonly<Record<string, string>>;
      body?: unknown;
      error?: string | undefined;
    }
  | null;

/** The common fields of logged requests and provider calls. */
export interface LoggedExchange {
  request: Side;
  response: Side;
  bodies_purged_at: string | null;
  bodies_unreadable: boolean;
  /** Only in provider calls: the content of a login is never stored. */
  bodies_withheld?: boolean;
}

/** Both sides as text in the reader's language, ending in a line break. */
export function formatExchange(exchange: LoggedExchange, language: Language = "en"): string {
  const absent = whyAbsent(exchange)[language];
  const sides = [
    [{ en: "request", el: "αίτημα" }, exchange.request],
    [{ en: "response", el: "απάντηση" }, exchange.response],
  ] as const;
  return sides.map(([name, side]) => `${name[language]}\n${formatSide(side, absent, language)}`).join("");
}

function whyAbsent(exchange: LoggedExchange): Text {
  if (exchange.bodies_withheld === true)
    return {
      en: "not stored: the content of a login never is",
      el: "δεν αποθηκεύτηκε: το περιεχόμενο μιας σύνδεσης δεν κρατείται ποτέ",
    };
  const { bodies_purged_at: purgedAt } = exchange;
  if (purgedAt !== null) {
    const at = instantText(purgedAt);
    return { en: `purged at ${at.en}`, el: `διαγράφηκε στις ${at.el}` };
  }
  if (exchange.bodies_unreadable)
    return {
      en: "unreadable: encrypted with another master key, or damaged",
      el: "δεν διαβάζεται: κρυπτογραφημένο με άλλο κύριο κλειδί, ή φθαρμένο",
    };
  return { en: "none", el: "κανένα" };
}

const LEFT_OUT: Text = { en: "omitted", el: "παραλείφθηκε" };
const NO_RESPONSE: Text = { en: "no response", el: "καμία απάντηση" };

function formatSide(side: Side, absent: string, language: Language): string {
  if (side === null) return `  ${absent}\n`;
  if ("omitted" in side) return `  ${LEFT_OUT[language]}: ${printable(side.omitted)}\n`;
  const { method, url, path, status, headers, body, error } = side;
  const head = method === undefined ? String(status) : `${method} ${url ?? path ?? ""}`;
  const lines = [
    `  ${printable(head)}`,
    ...Object.entries(headers).map(([name, value]) => `  ${printable(`${name}: ${value}`)}`),
    ...(error === undefined ? [] : [`  ${NO_RESPONSE[language]}: ${printable(error)}`]),
    ...formatBody(body).map((line) => `    ${line}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** The lines of a body, with JSON and XML indented. */
function formatBody(body: unknown): string[] {
  if (body === null || body === undefined || body === "") return [];
  const text = typeof body === "string" ? indentXml(body) : JSON.stringify(body, null, 2);
  return text.split(/\r?\n/).map((line) => printable(line));
}

/** Puts each XML element on its own line; adds whitespace only between tags. Returns other text unchanged. */
function indentXml(text: string): string {
  if (!/^\s*<(?!!doctype html|html)[?\w]/i.test(text) || /<\/[\w:]+>[^\S\n]*\n\s*</.test(text)) return text;
  let depth = 0;
  const lines = text
    .trim()
    .replace(/>\s*</g, ">\n<")
    .split("\n")
    .map((line) => {
      const closes = line.startsWith("</");
      if (closes) depth = Math.max(0, depth - 1);
      const indented = `${"  ".repeat(depth)}${line}`;
      const isOpen = /^<\w/.test(line) && !line.endsWith("/>") && !/<\/[^>]+>$/.test(line);
      if (isOpen) depth += 1;
      return indented;
    });
  return lines.join("\n");
}
