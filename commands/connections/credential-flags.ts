/** The flags of `fiscal connections add` for credentials. */
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";
import { keyValue } from "../options.ts";

export interface CredentialOptions {
  userId?: string;
  userIdFile?: string;
  subscriptionKey?: string;
  subscriptionKeyFile?: string;
  apiKey?: string;
  apiKeyFile?: string;
  email?: string;
  providerUserId?: string;
  /** By field name, for providers whose fields have no flag of their own. */
  credential?: Record<string, string>;
  credentialFile?: Record<string, string>;
}

export function addCredentialFlags(command: Command, { inLanguage }: CommandContext): Command {
  const inFile = inLanguage({
    en: "the same, from a file; - is standard input",
    el: "το ίδιο, από αρχείο· το - είναι η τυπική είσοδος",
  });
  return command
    .option(
      "--user-id <text>",
      inLanguage({
        en: "the registry's REST user name (secret)",
        el: "το όνομα χρήστη REST της ΑΑΔΕ (απόρρητο)",
      }),
    )
    .option("--user-id-file <file>", inFile)
    .option(
      "--subscription-key <text>",
      inLanguage({
        en: "the registry's subscription key (secret)",
        el: "το subscription key της ΑΑΔΕ (απόρρητο)",
      }),
    )
    .option("--subscription-key-file <file>", inFile)
    .option(
      "--api-key <text>",
      inLanguage({ en: "the provider's API key (secret)", el: "το κλειδί API του παρόχου (απόρρητο)" }),
    )
    .option("--api-key-file <file>", inFile)
    .option(
      "--email <address>",
      inLanguage({
        en: "email address of the login at the provider",
        el: "το email της σύνδεσης στον πάροχο",
      }),
    )
    .option(
      "--provider-user-id <id>",
      inLanguage({
        en: "user id at the provider, instead of --email",
        el: "το id χρήστη στον πάροχο, αντί για --email",
      }),
    )
    .option(
      "--credential <name=value>",
      inLanguage({
        en: "any credential by its name, for other providers; may be repeated",
        el: "οποιοδήποτε διαπιστευτήριο με το όνομά του, για άλλους παρόχους· επαναλαμβάνεται",
      }),
      keyValue("--credential"),
    )
    .option(
      "--credential-file <name=file>",
      inLanguage({
        en: "the same, from a file; may be repeated",
        el: "το ίδιο, από αρχείο· επαναλαμβάνεται",
      }),
      keyValue("--credential-file"),
    );
}

/** Fields that have a flag of their own. */
const OWN_FLAGS: ReadonlySet<string> = new Set([
  "user_id",
  "subscription_key",
  "api_key",
  "email",
  "provider_user_id",
]);
const OWN_FILE_FLAGS: ReadonlySet<string> = new Set(["user_id", "subscription_key", "api_key"]);

/** The flag that gives the field `name`. */
export function flagOf(name: string): string {
  return OWN_FLAGS.has(name) ? `--${name.replaceAll("_", "-")}` : `--credential ${name}=…`;
}

export function fileFlagOf(name: string): string {
  return OWN_FILE_FLAGS.has(name) ? `${flagOf(name)}-file` : `--credential-file ${name}=…`;
}

/** The environment variable of the field `name`. */
export function variableOf(name: string): string {
  return `FISCAL_CREDENTIAL_${name.toUpperCase()}`;
}

/** Where the value of a field comes from. */
export type Source = { kind: "flag" | "environment"; value: string } | { kind: "file"; file: string };

/** The sources that flags name. A value overrides a file, and a field's own flag overrides the general one. */
export function sourcesOf(options: CredentialOptions): Map<string, Source> {
  const ownFiles = {
    user_id: options.userIdFile,
    subscription_key: options.subscriptionKeyFile,
    api_key: options.apiKeyFile,
  };
  const ownValues = {
    user_id: options.userId,
    subscription_key: options.subscriptionKey,
    api_key: options.apiKey,
    email: options.email,
    provider_user_id: options.providerUserId,
  };
  const sources = new Map<string, Source>();
  for (const files of [options.credentialFile ?? {}, ownFiles])
    for (const [name, file] of Object.entries(files))
      if (file !== undefined) sources.set(name, { kind: "file", file });
  for (const values of [options.credential ?? {}, ownValues])
    for (const [name, value] of Object.entries(values))
      if (value !== undefined) sources.set(name, { kind: "flag", value });
  return sources;
}
