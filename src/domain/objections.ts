/**
 * Who refuses a document because of a rule beyond the specification, and who issues it with a warning
 * (docs/contract.md#plain-sandbox). What the specification itself refuses has no rule here: everybody refuses it. Pure.
 */
import type { Mode, Provider } from "../../storage/stored-values.ts";
import { AppError, describeProblem, type Problem, validationError } from "../foundation/errors.ts";
import type { Text } from "../foundation/text.ts";

/** Where a document goes, as far as it decides who refuses it. */
export type Destination = "plain sandbox" | "strict sandbox" | "provider";

/** Each rule, with those who only warn about it. */
const WARNED_BY = {
  future_date: ["plain sandbox"],
  other_supplier: ["plain sandbox"],
  own_customer: ["plain sandbox"],
  repeated_mark: ["plain sandbox"],
  payments_differ: ["plain sandbox"],
  /** Countries, amounts and MARKs that the provider's format cannot carry. */
  provider_format: ["plain sandbox"],
} as const satisfies Record<string, readonly Destination[]>;

export type RuleName = keyof typeof WARNED_BY;
export const RULE_NAMES = Object.keys(WARNED_BY) as RuleName[];

/** A problem with the rule that it breaks; without one, everybody refuses the document. */
export interface Objection extends Problem {
  rule?: RuleName;
}

/** A document of test mode without a provider may still be routed to the sandbox. */
export function destinationOf(request: {
  mode: Mode;
  provider: Provider | undefined;
  isSandboxStrict: boolean;
}): Destination {
  if (request.mode === "live" || (request.provider ?? "sandbox") !== "sandbox") return "provider";
  return request.isSandboxStrict ? "strict sandbox" : "plain sandbox";
}

/** Whether documents with the objection are issued at the destination, with a warning. */
export function isOnlyWarning({ rule }: Objection, destination: Destination): boolean {
  const warned: readonly Destination[] = rule === undefined ? [] : WARNED_BY[rule];
  return warned.includes(destination);
}

/** Returns the warnings, or throws an error with `code` that lists everything if the destination refuses any of it. */
export function warnOrRefuse(
  objections: readonly Objection[],
  destination: Destination,
  code: "validation_failed" | "not_supported" = "validation_failed",
): Text[] {
  if (objections.every((objection) => isOnlyWarning(objection, destination)))
    return objections.map(describeProblem);
  const failure = validationError(objections);
  throw code === failure.code ? failure : new AppError(code, failure.text);
}
