/**
 * The parameters of operations, each described once: its check for HTTP, MCP, the command line and the console, its description
 * for OpenAPI, its label and its flag (docs/contract.md#strict-input).
 */
import * as v from "valibot";
import { EVENT_TYPES } from "../../storage/stored-values.ts";
import { type Problem, validationError } from "../foundation/errors.ts";
import { DateSchema, InstantSchema } from "../foundation/field-schemas.ts";
import { integerFromTo, lengthFromTo, REQUIRED } from "../foundation/messages.ts";
import { pattern, must } from "../foundation/field-checks.ts";
import type { Text } from "../foundation/text.ts";
import { problemsOf } from "../foundation/validation.ts";
import { idSchema } from "../foundation/wire.ts";

export interface QueryField<T> {
  /** Parses the text of the parameter, or of all parameters with its name if it `repeats`. */
  schema: v.GenericSchema<unknown, T>;
  repeats: boolean;
  isRequired?: true;
  /** The JSON Schema for the description. */
  json: Record<string, unknown>;
  description: string;
  /** For people. */
  label?: Text;
  /** Its flag on the command line, which has none for a parameter without one. */
  flag?: Flag;
}

export interface Flag {
  /**
   * As in the help: `document <id>`. A `<merchant>` is given by id or external id, a `<customer>` by number or part of its name.
   */
  name: string;
  help: Text;
}

/** Adds the label and the flag. */
export function field<T>(parameter: QueryField<T>, label: Text, name: string, help: Text): QueryField<T> {
  return { ...parameter, label, flag: { name, help } };
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
  for (const [name, parameter] of Object.entries(fields)) {
    const given = search.getAll(name);
    if (given.length > 1 && !parameter.repeats) {
      problems.push({ path: name, message: GIVEN_TWICE });
      continue;
    }
    const read = readParameter(
      parameter,
      given.length === 0 ? undefined : parameter.repeats ? given : given[0],
      name,
    );
    if ("problems" in read) problems.push(...read.problems);
    else values[name] = read.value;
  }
  if (problems.length > 0) throw validationError(problems);
  return values as QueryValues<Fields>;
}

/** The value of a parameter, or what is wrong with it; `name` is its name in the messages. */
export function readParameter<T>(
  { schema }: QueryField<T>,
  given: string | readonly string[] | undefined,
  name: string,
): { value: T } | { problems: readonly Problem[] } {
  const result = v.safeParse(schema, given);
  return result.success ? { value: result.output } : { problems: problemsOf(result.issues, name) };
}

const LIMIT_MAX = 100;
/** docs/contract.md#pagination */
export const LIMIT_DEFAULT = 10;

const CURSOR_LENGTH_MAX = 64;

/** The pagination parameters of every list (docs/contract.md#pagination). */
export const PAGE_FIELDS = {
  limit: {
    schema: v.optional(integerText(1, LIMIT_MAX), String(LIMIT_DEFAULT)),
    repeats: false,
    json: { type: "integer", minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT },
    description: "Items per page.",
    flag: {
      name: "limit <n>",
      help: {
        en: `how many, 1 to ${LIMIT_MAX} (default ${LIMIT_DEFAULT})`,
        el: `πόσα, από 1 έως ${LIMIT_MAX} (αν λείπει: ${LIMIT_DEFAULT})`,
      },
    },
  } as QueryField<number>,
  starting_after: {
    ...textField(CURSOR_LENGTH_MAX, "The last id of a page: returns older items. Not with ending_before."),
    flag: {
      name: "starting-after <id>",
      help: {
        en: "only items after (older than) this one",
        el: "όσα έπονται (τα παλαιότερα) από αυτό",
      },
    },
  },
  ending_before: {
    ...textField(CURSOR_LENGTH_MAX, "The first id of a page: returns newer items. Not with starting_after."),
    flag: {
      name: "ending-before <id>",
      help: {
        en: "only items before (newer than) this one",
        el: "όσα προηγούνται (τα νεότερα) από αυτό",
      },
    },
  },
} as const;

/** The range of creation that most lists take. `when` says for the help what happened then: `begun`, `που άρχισαν`. */
export function createdFields(when: Text) {
  const instant = { type: "string", format: "date-time" };
  return {
    "created[gte]": field(
      one(InstantSchema, instant, "Only items created at this instant or later."),
      { en: "created from", el: "δημιουργία από" },
      "created-from <instant>",
      { en: `${when.en} at or after`, el: `${when.el} τότε ή αργότερα` },
    ),
    "created[lte]": field(
      one(InstantSchema, instant, "Only items created at this instant or earlier."),
      { en: "created to", el: "δημιουργία έως" },
      "created-to <instant>",
      { en: `${when.en} at or before`, el: `${when.el} τότε ή νωρίτερα` },
    ),
  } as const;
}

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
  return one(idSchema(prefix), { type: "string", pattern: form }, description);
}

/** A filter by text. Its length is counted in characters (code points), like that of the stored text. */
export function textField(lengthMax: number, description: string) {
  const schema = v.pipe(
    v.string(),
    must(
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

function integerText(minimum: number, maximum: number) {
  return v.pipe(
    v.string(),
    must(
      (text) => /^\d{1,9}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum,
      integerFromTo(minimum, maximum),
    ),
    v.transform(Number),
  );
}

/** A filter by an unsigned integer. */
export function integerField(minimum: number, maximum: number, description: string) {
  return one(integerText(minimum, maximum), { type: "integer", minimum, maximum }, description);
}

/** Makes a parameter required. */
export function requiredField<T>(parameter: QueryField<T | undefined>): QueryField<T> {
  const schema = v.pipe(
    parameter.schema,
    must((value) => value !== undefined, REQUIRED),
  );
  return { ...parameter, schema: schema as v.GenericSchema<unknown, T>, isRequired: true };
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
