/** Parses query strings strictly, and describes their parameters for OpenAPI (docs/contract.md#strict-input). */
import * as v from "valibot";
import { EVENT_TYPES } from "../storage/stored-values.ts";
import { type Problem, validationError } from "../src/foundation/errors.ts";
import { DateSchema, InstantSchema } from "../src/foundation/field-schemas.ts";
import { integerFromTo, lengthFromTo, REQUIRED } from "../src/foundation/messages.ts";
import { pattern, rule } from "../src/foundation/rules.ts";
import type { Text } from "../src/foundation/text.ts";
import { problemsOf } from "../src/foundation/validation.ts";

export interface QueryField<T> {
  /** Parses the text of the parameter, or of all parameters with its name if it `repeats`. */
  schema: v.GenericSchema<unknown, T>;
  repeats: boolean;
  isRequired?: true;
  /** The JSON Schema for the description. */
  json: Record<string, unknown>;
  description: string;
}

export type QueryFields = Readonly<Record<string, QueryField<unknown>>>;
export type QueryValues<Fields extends QueryFields> = {
  [Name in keyof Fields]: Fields[Name] extends QueryField<infer T> ? T : never;
};

function one<T>(
  schema: v.GenericSchema<unknown, T>,
  json: Record<string, unknown>,
  description: string,
): QueryField<T | undefined> {
  return { schema: v.optional(schema), repeats: false, json, description };
}

const NOT_A_PARAMETER: Text = {
  en: "is not a parameter of this operation",
  el: "δεν είναι παράμετρος αυτής της λειτουργίας",
};
const GIVEN_TWICE: Text = { en: "is given more than once", el: "δίνεται περισσότερες από μία φορές" };

/** Parses the parameters of `search`. Throws `validation_failed` with every unknown, repeated or invalid parameter. */
export function parseQuery<Fields extends QueryFields>(
  fields: Fields,
  search: URLSearchParams,
): QueryValues<Fields> {
  const problems: Problem[] = [];
  for (const name of new Set(search.keys())) {
    // A message repeats only names that look like parameters: a query may contain anything, even secrets.
    if (!Object.hasOwn(fields, name)) {
      problems.push({
        path: /^[a-z_[\]]{1,40}$/.test(name) ? name : "(parameter)",
        message: NOT_A_PARAMETER,
      });
    }
  }
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const given = search.getAll(name);
    if (given.length > 1 && !field.repeats) {
      problems.push({ path: name, message: GIVEN_TWICE });
      continue;
    }
    const result = v.safeParse(
      field.schema,
      given.length === 0 ? undefined : field.repeats ? given : given[0],
    );
    if (result.success) values[name] = result.output;
    else problems.push(...problemsOf(result.issues, name));
  }
  if (problems.length > 0) throw validationError(problems);
  return values as QueryValues<Fields>;
}

const LIMIT_MAX = 100;
const LIMIT_DEFAULT = 10;

const LimitSchema = v.pipe(
  v.string(),
  rule(
    (text) => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= LIMIT_MAX,
    integerFromTo(1, LIMIT_MAX),
  ),
  v.transform(Number),
);

const CURSOR_LENGTH_MAX = 64;
const CursorSchema = v.pipe(
  v.string(),
  rule((text) => text.length >= 1 && text.length <= CURSOR_LENGTH_MAX, lengthFromTo(1, CURSOR_LENGTH_MAX)),
);

/** The pagination parameters of every list (docs/contract.md#pagination). */
export const PAGE_FIELDS = {
  limit: {
    schema: v.optional(LimitSchema, String(LIMIT_DEFAULT)),
    repeats: false,
    json: { type: "integer", minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT },
    description: "The maximum number of items per page.",
  } as QueryField<number>,
  starting_after: one(
    CursorSchema,
    { type: "string", maxLength: CURSOR_LENGTH_MAX },
    "The last id of a page: returns the items after it (older). Not together with ending_before.",
  ),
  ending_before: one(
    CursorSchema,
    { type: "string", maxLength: CURSOR_LENGTH_MAX },
    "The first id of a page: returns the items before it (newer). Not together with starting_after.",
  ),
} as const;

export const CREATED_FIELDS = {
  "created[gte]": one(
    InstantSchema,
    { type: "string", format: "date-time" },
    "Only items created at this instant or later.",
  ),
  "created[lte]": one(
    InstantSchema,
    { type: "string", format: "date-time" },
    "Only items created at this instant or earlier.",
  ),
} as const;

/** A filter by one of `words`. */
export function wordField<const Words extends readonly [string, ...string[]]>(
  words: Words,
  description: string,
) {
  return one(v.picklist(words), { type: "string", enum: words }, description);
}

/** A filter by an id with the given prefix. */
export function idField(prefix: string, description: string) {
  const form = `^${prefix}_[0-9A-Za-z]{22}$`;
  const schema = v.pipe(
    v.string(),
    pattern(new RegExp(form), {
      en: `must be an id: ${prefix}_ and 22 letters or digits`,
      el: `πρέπει να είναι id: ${prefix}_ και 22 λατινικά γράμματα ή ψηφία`,
    }),
  );
  return one(schema, { type: "string", pattern: form }, description);
}

/** A filter by text. Its length is counted in characters (code points), like that of the stored text. */
export function textField(lengthMax: number, description: string) {
  const schema = v.pipe(
    v.string(),
    rule(
      (text) => text.length >= 1 && (text.length <= lengthMax || [...text].length <= lengthMax),
      lengthFromTo(1, lengthMax),
    ),
  );
  return one(schema, { type: "string", minLength: 1, maxLength: lengthMax }, description);
}

export function patternField(form: RegExp, description: string, message: Text) {
  return one(
    v.pipe(v.string(), pattern(form, message)),
    { type: "string", pattern: form.source },
    description,
  );
}

/** A filter by an unsigned integer. */
export function integerField(minimum: number, maximum: number, description: string) {
  const schema = v.pipe(
    v.string(),
    rule(
      (text) => /^\d{1,9}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum,
      integerFromTo(minimum, maximum),
    ),
    v.transform(Number),
  );
  return one(schema, { type: "integer", minimum, maximum }, description);
}

/** Makes a parameter required. */
export function requiredField<T>(field: QueryField<T | undefined>): QueryField<T> {
  const schema = v.pipe(
    field.schema,
    rule((value) => value !== undefined, REQUIRED),
  );
  return { ...field, schema: schema as v.GenericSchema<unknown, T>, isRequired: true };
}

export function dateField(description: string) {
  return one(DateSchema, { type: "string", format: "date" }, description);
}

export function booleanField(description: string) {
  const schema = v.pipe(
    v.picklist(["true", "false"]),
    v.transform((text) => text === "true"),
  );
  return one(schema, { type: "boolean" }, description);
}

const EVENT_TYPES_MAX = 20;

export const EVENT_TYPE_FIELD: QueryField<("document.created" | (typeof EVENT_TYPES)[number])[] | undefined> =
  {
    schema: v.optional(
      v.pipe(v.array(v.picklist(EVENT_TYPES)), v.minLength(1), v.maxLength(EVENT_TYPES_MAX)),
    ),
    repeats: true,
    json: {
      type: "array",
      minItems: 1,
      maxItems: EVENT_TYPES_MAX,
      items: { type: "string", enum: EVENT_TYPES },
    },
    description: "Only events of these types; repeat the parameter for several.",
  };
