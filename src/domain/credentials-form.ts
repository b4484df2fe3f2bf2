/** The form for a merchant's credentials at a provider, shared by the API, the command line and the connect page. */
import * as v from "valibot";
import type { Mode } from "../../storage/stored-values.ts";
import { sameInBoth, type Text } from "../foundation/text.ts";
import { described } from "../foundation/described.ts";
import { characters, note, unpaddedCharacters } from "../foundation/field-schemas.ts";
import { NOT_AN_EMAIL } from "../foundation/messages.ts";
import { must } from "../foundation/field-checks.ts";
import { checkWith } from "../foundation/validation.ts";
import type { Problem } from "../foundation/errors.ts";

/** One credential. Its value is always text. */
export interface CredentialField {
  /** The name in the API, such as `subscription_key`. Lower-case letters, digits and `_`, starting with a letter. */
  name: string;
  /** What people call it, without punctuation. A plain string is shown in both languages. */
  label: Text | string;
  /** Whether it is hidden while typing and never shown. Every field is encrypted and kept out of the logs either way. */
  secret: boolean;
  required: boolean;
  /** In characters. */
  lengthMax: number;
  format?: "email";
  /** Rejects white space at either end, a common slip when copying. */
  unpadded?: boolean;
  /** Allows printable ASCII only, for values sent in a header. */
  ascii?: boolean;
  /** Where to find it, in a sentence. */
  help?: Text | string;
}

/** How a merchant obtains the credentials, step by step. */
export interface CredentialsGuide {
  steps: readonly (Text | string)[];
  /** The page of the first step. */
  url?: string;
}

export interface CredentialsForm {
  /** In the order in which they are asked for. */
  fields: readonly CredentialField[];
  /** Names of fields of which exactly one must be given; none of them is `required`. */
  exactlyOneOf?: readonly string[];
  /** By mode, because providers have separate accounts for testing. Shown on the connect page. */
  guides?: Readonly<Record<Mode, CredentialsGuide>>;
}

/** One `@` with something before it and a dot after it. Only the provider knows whether the address exists. */
const EMAIL_FORM = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

function fieldSchema(field: CredentialField): v.GenericSchema<unknown, string> {
  const text = field.unpadded === true ? unpaddedCharacters(field.lengthMax) : characters(1, field.lengthMax);
  const email = must((value: string) => EMAIL_FORM.test(value), NOT_AN_EMAIL);
  const ascii = must((value: string) => PRINTABLE_ASCII.test(value), {
    en: "must have printable ASCII characters only",
    el: "πρέπει να έχει μόνο λατινικά γράμματα, ψηφία και σύμβολα (ASCII)",
  });
  const checked = field.ascii === true ? v.pipe(text, ascii) : text;
  const schema = field.format === "email" ? v.pipe(checked, email, note({ format: "email" })) : checked;
  return described(schema, describeField(field));
}

function describeField({ label, help }: CredentialField): string {
  const [name, hint] = [label, help ?? ""].map((text) =>
    typeof text === "string" ? sameInBoth(text) : text,
  );
  return `${name!.en}. ${hint!.en}`.trim();
}

type CredentialsSchema = v.GenericSchema<unknown, Record<string, string>>;

/** A strict object: unknown names are rejected. */
function objectSchema(fields: readonly CredentialField[], isRequired: (field: CredentialField) => boolean) {
  const entries = fields.map((field) => {
    const schema = fieldSchema(field);
    return [field.name, isRequired(field) ? schema : v.optional(schema)];
  });
  return v.strictObject(Object.fromEntries(entries)) as unknown as CredentialsSchema;
}

/** The credentials as the form requires them, or their problems, with paths below `credentials`. */
export function checkAgainstForm(
  form: CredentialsForm,
  given: unknown,
): { output: Record<string, string> } | { problems: Problem[] } {
  const object = objectSchema(form.fields, ({ required }) => required);
  const names = form.exactlyOneOf ?? [];
  if (names.length === 0) return checkWith(object, given, "credentials");
  const exactlyOne = must(
    (values: Record<string, string>) => names.filter((name) => values[name] !== undefined).length === 1,
    {
      en: `must have exactly one of ${names.join(", ")}`,
      el: `πρέπει να έχει ακριβώς ένα από τα ${names.join(", ")}`,
    },
  );
  return checkWith(v.pipe(object, exactlyOne), given, "credentials");
}

/** The form as a schema for the API description, where a choice of fields becomes one object for each alternative. */
export function describeCredentials(form: CredentialsForm): CredentialsSchema {
  const names = form.exactlyOneOf ?? [];
  if (names.length === 0) return objectSchema(form.fields, ({ required }) => required);
  const objects = names.map((chosen) => {
    const fields = form.fields.filter(({ name }) => name === chosen || !names.includes(name));
    return objectSchema(fields, ({ name, required }) => required || name === chosen);
  });
  return v.union(objects) as unknown as CredentialsSchema;
}
