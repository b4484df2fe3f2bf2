/** The problems that an audit finds, and the listener that receives them. */
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
