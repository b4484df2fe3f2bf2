/** What a person entered in the form that credits a document (docs/contract.md#console-form-for-a-credit-note). */
import { TEXTS } from "./messages.ts";
import { QUANTITY_FORM } from "../../../src/domain/document-codes.ts";
import { AppError, type Problem, validationError } from "../../../src/foundation/errors.ts";
import { readFormKey } from "./form-key.ts";
import { type Trouble, troubleOf } from "./form-trouble.ts";

export interface CreditEntry {
  /** The idempotency key. */
  key: string;
  issueDate: string;
  /** As typed, by the number of the line. */
  quantities: ReadonlyMap<number, string>;
  /** What the preview showed for lines without a quantity, in cents: they are issued as shown, even if more is left by then. */
  nets: ReadonlyMap<number, number>;
}

interface CreditLine {
  line: number;
  quantity?: string;
  net?: number;
}

/** The body of `creditDocument`. */
export interface CreditBody {
  issue_date?: string;
  lines?: CreditLine[];
}

export function emptyEntry(today: string, key: string): CreditEntry {
  return { key, issueDate: today, quantities: new Map(), nets: new Map() };
}

export function readEntry(form: ReadonlyMap<string, string>): CreditEntry {
  const quantities = new Map<number, string>();
  const nets = new Map<number, number>();
  for (const [name, value] of form) {
    const [, kind, line] = /^(quantity|net)-([1-9][0-9]{0,3})$/.exec(name) ?? [];
    if (kind === "quantity") quantities.set(Number(line), value.trim());
    if (kind === "net" && /^[0-9]{1,16}$/.test(value)) nets.set(Number(line), Number(value));
  }
  return {
    key: readFormKey(form),
    issueDate: (form.get("issue_date") ?? "").trim(),
    quantities,
    nets,
  };
}

/** Depends on the form alone, so that a form submitted twice is the same request twice. Throws `validation_failed`. */
export function bodyOf({ issueDate, quantities, nets }: CreditEntry): CreditBody {
  const lines: CreditLine[] = [];
  const problems: Problem[] = [];
  for (const [line, typed] of quantities) {
    const quantity = typed.replace(",", ".");
    const net = nets.get(line);
    if (typed === "") lines.push({ line, ...(net === undefined ? {} : { net }) });
    else if (QUANTITY_FORM.test(quantity)) lines.push({ line, quantity });
    else if (!/^0+(?:\.0+)?$/.test(quantity))
      problems.push({ path: quantityField(line), message: TEXTS.quantityMistake });
  }
  if (problems.length > 0) throw validationError(problems);
  if (quantities.size > 0 && lines.length === 0)
    throw validationError([{ path: "", message: TEXTS.everyLineLeftOut }]);
  const isEverything = [...quantities.values()].every((typed) => typed === "") && nets.size === 0;
  return { ...(issueDate === "" ? {} : { issue_date: issueDate }), ...(isEverything ? {} : { lines }) };
}

export function quantityField(line: number): string {
  return `quantity-${line}`;
}

export function creditTrouble(error: AppError, { lines = [] }: CreditBody): Trouble {
  return troubleOf(error, (path) => fieldOf(path, lines));
}

/** The form's field for a path such as `lines[1].quantity`. */
function fieldOf(path: string, lines: readonly CreditLine[]): string | undefined {
  const [, index] = /^lines\[(\d+)\]/.exec(path) ?? [];
  if (index !== undefined) return quantityField(lines[Number(index)]!.line);
  if (path === "document.issue_date") return "issue_date";
  return path === "issue_date" || path.startsWith("quantity-") ? path : undefined;
}
