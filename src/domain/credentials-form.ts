/** The credentials that a provider asks a merchant for, as used by the API, the command line and the connect page. */
import * as v from "valibot";
import { NOT_AN_EMAIL } from "../foundation/messages.ts";
import { rule } from "../foundation/rules.ts";
import { characters, unpaddedCharacters } from "../foundation/field-schemas.ts";

/** One credential, always text. */
export interface CredentialField {
  /** The name on the wire: `subscription_key`. */
  name: string;
  /** Its name for people, in English. */
  label: string;
  /** Hidden while it is typed and never shown. All fields, secret or not, are encrypted at rest and kept out of the logs. */
  secret: boolean;
  required: boolean;
  /** In characters. */
  lengthMax: number;
  format?: "email";
  /** Rejects white space at either end, which copying often adds. */
  unpadded?: boolean;
  /** Allows printable ASCII only, for values sent in a header. */
  ascii?: boolean;
  /** One sentence on where to find it. */
  help?: string;
}

export interface CredentialsForm {
  fields: readonly CredentialField[];
  /** Names of fields of which exactly one must be given; none of them is `required`. */
  exactlyOneOf?: readonly string[];
}

/** Only the rough form; the provider knows whether the address exists. */
const EMAIL_FORM = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

function fieldSchema(field: CredentialField) {
  const text = field.unpadded === true ? unpaddedCharacters(field.lengthMax) : characters(1, field.lengthMax);
  return v.pipe(
    text,
    rule((value) => field.format !== "email" || EMAIL_FORM.test(value), NOT_AN_EMAIL),
    rule((value) => field.ascii !== true || PRINTABLE_ASCII.test(value), {
      en: "must have printable ASCII characters only",
      el: "πρέπει να έχει μόνο λατινικά γράμματα, ψηφία και σύμβολα",
    }),
  );
}

/** A strict object with the fields of the form. Unknown fields are rejected and `exactlyOneOf` is checked. */
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
    rule(
      (given) => names.filter((name) => (given as Record<string, unknown>)[name] !== undefined).length === 1,
      {
        en: `must have exactly one of ${names.join(", ")}`,
        el: `πρέπει να έχει ακριβώς ένα από τα ${names.join(", ")}`,
      },
    ),
  ) as unknown as v.GenericSchema<unknown, Record<string, string>>;
}
