/** Checks that a value has the shape of an adapter, without calling it. Pure. */
import * as v from "valibot";
import type { Provider } from "../../storage/stored-values.ts";
import { describeProblem } from "../foundation/errors.ts";
import { must, pattern } from "../foundation/field-checks.ts";
import { integerBetween } from "../foundation/field-schemas.ts";
import type { Text } from "../foundation/text.ts";
import { checkWith } from "../foundation/validation.ts";

function isFilled(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

/** A string, or one for each language. */
function isText(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return isFilled(value);
  const { en, el } = value as { en?: unknown; el?: unknown };
  return isFilled(en) && isFilled(el);
}

const A_TEXT: Text = {
  en: "must be a text, or one for each language",
  el: "πρέπει να είναι κείμενο, ή ένα για κάθε γλώσσα",
};
const text = v.pipe(v.unknown(), must(isText, A_TEXT));
const method = v.pipe(
  v.unknown(),
  must((value) => typeof value === "function", { en: "must be a function", el: "πρέπει να είναι συνάρτηση" }),
);
const flag = v.optional(v.boolean());
const count = integerBetween(1, Number.MAX_SAFE_INTEGER);

/** Field names also end environment variables: FISCAL_CREDENTIAL_... */
const FIELD_NAME = /^[a-z][a-z0-9_]*$/;

const FormSchema = v.looseObject({
  fields: v.array(
    v.looseObject({
      name: v.pipe(
        v.string(),
        pattern(FIELD_NAME, {
          en: "must consist of lower-case letters, digits and _",
          el: "πρέπει να έχει μόνο μικρά λατινικά γράμματα, ψηφία και _",
        }),
      ),
      label: text,
      secret: v.boolean(),
      required: v.boolean(),
      lengthMax: count,
    }),
  ),
});

const adapterSchema = (provider: Provider) =>
  v.looseObject({
    provider: v.literal(provider),
    buildPayload: method,
    issue: method,
    status: method,
    reconcile: method,
    cancel: method,
    findCancellation: method,
    fetchPdf: method,
    verify: method,
    name: v.optional(text),
    numbering: v.picklist(["ours", "provider"]),
    issueBatchMax: count,
    askBatchMax: v.optional(count),
    canCancel: v.boolean(),
    hasPdf: flag,
    isAuthority: flag,
    check: v.optional(method),
    listDocuments: v.optional(method),
    listVatFigures: v.optional(method),
    listRefusals: v.optional(method),
    readDocument: v.optional(method),
    settle: v.looseObject({ askings: count, seconds: integerBetween(0, Number.MAX_SAFE_INTEGER) }),
    credentials: v.nullable(FormSchema),
  });

/** Why `value` is not an adapter of `provider`, one sentence for each member that is wrong; empty if it is one. */
export function findShapeProblems(value: unknown, provider: Provider): Text[] {
  const checked = checkWith(adapterSchema(provider), value, "");
  return "problems" in checked ? checked.problems.map(describeProblem) : [];
}
