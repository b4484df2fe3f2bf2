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
const help = v.pipe(
  v.unknown(),
  must((value) => value === "" || isText(value), A_TEXT),
);
const method = v.pipe(
  v.unknown(),
  must((value) => typeof value === "function", { en: "must be a function", el: "πρέπει να είναι συνάρτηση" }),
);
const flag = v.optional(v.boolean());
const count = integerBetween(1, Number.MAX_SAFE_INTEGER);

/** Field names also end environment variables: FISCAL_CREDENTIAL_... */
const FIELD_NAME = /^[a-z][a-z0-9_]*$/;

const FieldSchema = v.looseObject({
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
  format: v.optional(v.literal("email")),
  unpadded: flag,
  ascii: flag,
  help: v.optional(help),
});

const isWebAddress = (url: string) => /^https?:/.test(url) && URL.canParse(url);

const GuideSchema = v.looseObject({
  steps: v.array(text),
  url: v.optional(
    v.pipe(
      v.string(),
      must(isWebAddress, {
        en: "must be an http or https address",
        el: "πρέπει να είναι διεύθυνση http ή https",
      }),
    ),
  ),
});

type Field = v.InferOutput<typeof FieldSchema>;

const FormSchema = v.pipe(
  v.looseObject({
    fields: v.pipe(
      v.array(FieldSchema),
      must((fields: Field[]) => new Set(fields.map(({ name }) => name)).size === fields.length, {
        en: "must have different names",
        el: "πρέπει να έχουν διαφορετικά ονόματα",
      }),
    ),
    exactlyOneOf: v.optional(v.array(v.string()), []),
    guides: v.optional(v.looseObject({ test: GuideSchema, live: GuideSchema })),
  }),
  must(
    ({ fields, exactlyOneOf }: { fields: Field[]; exactlyOneOf: string[] }) =>
      exactlyOneOf.every((chosen) => fields.some(({ name, required }) => name === chosen && !required)),
    {
      en: "exactlyOneOf must list names of fields that are not required",
      el: "το exactlyOneOf πρέπει να έχει ονόματα πεδίων που δεν είναι υποχρεωτικά",
    },
  ),
);

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
