/** Which parts of a document with invalid fields can be read, so that the rules of the others are still checked. */
import * as v from "valibot";
import { type CanonicalDocument, LineSchema } from "./canonical-schema.ts";

type Key = string | number;

export interface Readable {
  /** Whether the value at this path, and everything in it, has the right type or is absent. */
  isReadable(...keys: readonly Key[]): boolean;
  /** Whether the amounts of every line are valid, so that they can be added up. */
  canAddUp: boolean;
}

export const WHOLE: Readable = { isReadable: () => true, canAddUp: true };

/** `document` is what the schema left of an input with `issues`. */
export function readableParts(
  { lines }: Pick<CanonicalDocument, "lines">,
  issues: readonly v.BaseIssue<unknown>[],
): Readable {
  const broken = new Set<string>();
  const around = new Set<string>();
  for (const issue of issues.filter(breaksValue)) {
    const keys = (issue.path ?? []).map(({ key }) => key as Key);
    broken.add(pathTo(keys, keys.length));
    for (let length = 0; length <= keys.length; length += 1) around.add(pathTo(keys, length));
  }
  return {
    isReadable: (...keys) =>
      !around.has(pathTo(keys, keys.length)) && !keys.some((_key, at) => broken.has(pathTo(keys, at))),
    canAddUp: Array.isArray(lines) && lines.length > 0 && lines.every((line) => v.is(PricedLineSchema, line)),
  };
}

const { quantity, unit_price, vat_category } = LineSchema.entries;
const PricedLineSchema = v.object({ quantity, unit_price, vat_category });

/** A value that is out of its limits still has its type; an unknown field changes nothing of the others. */
function breaksValue({ kind, type, expected }: v.BaseIssue<unknown>): boolean {
  return kind === "schema" && !(type === "strict_object" && expected === "never");
}

function pathTo(keys: readonly Key[], length: number): string {
  return keys.slice(0, length).join("/");
}
