/** The problems that an audit finds, the listener that receives them, and cursors over the audited rows. */
import type { Text } from "../../foundation/text.ts";

export interface AuditProblem {
  check: "journal" | "documents" | "numbers";
  /** The id of the wrong event, note or document; null if it is none of these. */
  id: string | null;
  /** A sentence without personal data or amounts. */
  message: Text;
}

/** A link of the chain as noted elsewhere: `evt_…:` and 64 hexadecimal digits. */
export interface NotedLink {
  id: string;
  hash: string;
}

export interface AuditListener {
  problem(problem: AuditProblem): void;
  row(): void | Promise<void>;
}

/** `subject what.` in both languages. */
export function sentence(subject: string, what: Text): Text {
  return { en: `${subject} ${what.en}.`, el: `Το ${subject} ${what.el}.` };
}

/** Iterates over rows that are fetched in portions, so that memory does not grow with their number. */
export interface Cursor<Row> {
  /** Returns the next row; undefined at the end. */
  peek(): Promise<Row | undefined>;
  advance(): void;
}

const PORTION = 500;

/** `fetch` returns at most `limit` rows after `after`, or from the first if that is undefined. `portion` is for large rows. */
export function createCursor<Row>(
  fetch: (after: Row | undefined, limit: number) => Promise<Row[]>,
  portion = PORTION,
): Cursor<Row> {
  let rows: Row[] = [];
  let next = 0;
  let last: Row | undefined;
  let isAtEnd = false;
  return {
    async peek() {
      if (next < rows.length || isAtEnd) return rows[next];
      rows = await fetch(last, portion);
      next = 0;
      last = rows.at(-1) ?? last;
      isAtEnd = rows.length < portion;
      return rows[0];
    },
    advance() {
      next += 1;
    },
  };
}
