/** What a provider wants to be given to act for a merchant: the form behind the API, the command line and the connect page. */
import * as v from "valibot";
import { characters, unpaddedCharacters } from "../foundation/validation.ts";

/** One credential. All are text. */
export interface CredentialField {
  /** The name on the wire: `subscription_key`. */
  name: string;
  /** What a person calls it, in English. */
  label: string;
  /** Whether it is typed unseen and never shown. Every field is kept sealed and out of the logs, whatever this says. */
  secret: boolean;
  required: boolean;
  /** In characters. */
  lengthMax: number;
  format?: "email";
  /** White space at either end is refused, as what comes along with copying. */
  unpadded?: boolean;
  /** Only printable ASCII: for what travels in a header. */
  ascii?: boolean;
  /** Where it is found, in a sentence. */
  help?: string;
}

export interface CredentialsForm {
  fields: readonly CredentialField[];
  /** Names of fields of which exactly one is given; none of them is `required`. */
  exactlyOneOf?: readonly string[];
}

/** One `@`, something on both sides, a dot behind it: whether it exists only the provider knows. */
const EMAIL_FORM = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

function fieldSchema(field: CredentialField) {
  const text = field.unpadded === true ? unpaddedCharacters(field.lengthMax) : characters(1, field.lengthMax);
  return v.pipe(
    text,
    v.check((value) => field.format !== "email" || EMAIL_FORM.test(value), "must be an email address"),
    v.check(
      (value) => field.ascii !== true || PRINTABLE_ASCII.test(value),
      "must have printable ASCII characters only",
    ),
  );
}

/** The strict object of the form: unknown names are refused, and `exactlyOneOf` is held. */
export function credentialsSchema(form: CredentialsForm): v.GenericSchema<unknown, Record<string, string>> {
  const entries = Object.fromEntries(
    form.fields.map((field) => {
      const schema = fieldSchema(field);
      return [field.name, field.required ? schema : v.optional(schema)];
    }),
  );
  const names = form.exactlyOneOf ?? [];
  const object = v.strictObject(entries);
  if (names.length === 0) return object as unknown as v.GenericSchema<unknown, Record<string, string>>;
  return v.pipe(
    object,
    v.check(
      (given) => names.filter((name) => (given as Record<string, unknown>)[name] !== undefined).length === 1,
      `must have exactly one of ${names.join(", ")}`,
    ),
  ) as unknown as v.GenericSchema<unknown, Record<string, string>>;
}
