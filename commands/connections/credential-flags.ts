/**
 * The flags of `fiscal connections add` for credentials: one for each field of a built-in provider, one more to read a
 * secret field from a file, and two general ones for other providers.
 */
import type { CredentialField } from "../../src/domain/credentials-form.ts";
import { camelCase } from "../../src/foundation/setting.ts";
import { type Text, toText } from "../../src/foundation/text.ts";
import { BUILT_IN_PROVIDERS } from "../../src/providers/built-in.ts";
import { keyValue } from "../options.ts";
import type { Flags } from "../define.ts";

/** As commander parses them: `userId` for `--user-id`, `userIdFile` for `--user-id-file`. */
export interface CredentialOptions {
  readonly [flag: string]: unknown;
  /** By field name. */
  credential?: Record<string, string>;
  credentialFile?: Record<string, string>;
}

/** The fields that have flags of their own, by name. */
const FIELDS: ReadonlyMap<string, { field: CredentialField; provider: Text }> = new Map(
  BUILT_IN_PROVIDERS.flatMap(({ description: { name: provider, credentials } }) =>
    (credentials?.fields ?? []).map((field) => [field.name, { field, provider }] as const),
  ),
);

const FROM_A_FILE: Text = {
  en: "the same, from a file; - is standard input",
  el: "το ίδιο, από αρχείο· το - είναι η τυπική είσοδος",
};

export const CREDENTIAL_FLAGS: Flags = {
  ...Object.fromEntries(
    [...FIELDS].flatMap(([name, { field, provider }]) => [
      [`${flagOf(name)} <text>`, describeField(field, provider)] as const,
      ...(field.secret ? [[`${fileFlagOf(name)} <file>`, FROM_A_FILE] as const] : []),
    ]),
  ),
  "--credential <name=value>": {
    en: "any credential by its name, for other providers; may be repeated",
    el: "οποιοδήποτε διαπιστευτήριο με το όνομά του, για άλλους παρόχους· επαναλαμβάνεται",
    read: keyValue,
  },
  "--credential-file <name=file>": {
    en: "the same, from a file; may be repeated",
    el: "το ίδιο, από αρχείο· επαναλαμβάνεται",
    read: keyValue,
  },
};

/** `AADE myDATA: Subscription key (secret)` */
function describeField({ label, secret }: CredentialField, provider: Text): Text {
  const { en, el } = toText(label);
  return {
    en: `${provider.en}: ${en}${secret ? " (secret)" : ""}`,
    el: `${provider.el}: ${el}${secret ? " (απόρρητο)" : ""}`,
  };
}

/** The flag that gives the field `name`. */
export function flagOf(name: string): string {
  return FIELDS.has(name) ? `--${name.replaceAll("_", "-")}` : `--credential ${name}=…`;
}

export function fileFlagOf(name: string): string {
  return FIELDS.get(name)?.field.secret === true
    ? `--${name.replaceAll("_", "-")}-file`
    : `--credential-file ${name}=…`;
}

/** The environment variable of the field `name`. */
export function variableOf(name: string): string {
  return `FISCAL_CREDENTIAL_${name.toUpperCase()}`;
}

/** Where the value of a field comes from: `named` is the flag or the variable. */
export type Source = { named: string; value: string } | { named: string; file: string };

/** The sources that flags name. A value overrides a file, and a field's own flag overrides the general one. */
export function sourcesOf(options: CredentialOptions): Map<string, Source> {
  const own = (suffix: string) =>
    [...FIELDS.keys()].flatMap((name): [string, string][] => {
      const given = options[`${camelCase(name)}${suffix}`];
      return typeof given === "string" ? [[name, given]] : [];
    });
  const files = [...Object.entries(options.credentialFile ?? {}), ...own("File")];
  const values = [...Object.entries(options.credential ?? {}), ...own("")];
  return new Map<string, Source>([
    ...files.map(([name, file]) => [name, { named: fileFlagOf(name), file }] as const),
    ...values.map(([name, value]) => [name, { named: flagOf(name), value }] as const),
  ]);
}
