/**
 * Collects a merchant's credentials for a provider from flags, files, the environment (in this order of precedence) and
 * prompts. They are validated when they are stored.
 */
import { requireAdapter } from "../../src/connections/connection-input.ts";
import { sameInBoth, toText } from "../../src/foundation/text.ts";
import type { CredentialField, CredentialsForm } from "../../src/domain/credentials-form.ts";
import type { Provider } from "../../src/domain/vocabulary.ts";
import type { Context } from "../../src/journal/context.ts";
import { providerName } from "../../src/domain/document-codes.ts";
import { UsageError } from "../exit.ts";
import { nameOf, readSecretFile, textOf } from "../input-files.ts";
import { type ProgramIo, printNote } from "../io.ts";
import { askFor, askForSecret, askWhich, canPrompt } from "../ui/prompt.ts";
import {
  type CredentialOptions,
  fileFlagOf,
  flagOf,
  type Source,
  sourcesOf,
  variableOf,
} from "./credential-flags.ts";
import type { Given } from "../flags.ts";

/** The body of the operation: the provider, and its credentials. */
export async function readConnectionBody({ context, appliance, flags }: Given): Promise<unknown> {
  const { io } = context;
  const provider = (flags["provider"] as Provider | undefined) ?? (await askForProvider(io, appliance));
  const form = requireAdapter(appliance.providers, provider).credentials ?? { fields: [] };
  return { provider, credentials: await gatherCredentials(io, form, flags) };
}

/** Offers the providers that have an adapter here and take credentials. */
function askForProvider(io: ProgramIo, appliance: Context): Promise<Provider> {
  const providers = appliance.providers.all().filter(({ credentials }) => credentials !== null);
  if (providers.length === 0)
    throw new UsageError({ en: "--provider is missing", el: "λείπει η --provider" });
  const choices = providers.map(({ provider }) => ({
    value: provider,
    name: sameInBoth(providerName(provider)),
  }));
  const message = { en: "Provider", el: "Πάροχος" };
  return askWhich(io, choices, { flag: "--provider", message });
}

/**
 * Returns the credentials for `form`, by field name. Throws UsageError for fields that the form does not
 * have, and for missing ones if it cannot prompt.
 */
export async function gatherCredentials(
  io: ProgramIo,
  { fields, exactlyOneOf: group = [] }: CredentialsForm,
  options: CredentialOptions,
): Promise<Record<string, string>> {
  const sources = sourcesOf(options);
  rejectUnknown(fields, sources);
  // If a flag or file gives one of several alternatives, the environment variables of the others are ignored.
  const isGroupGiven = group.some((name) => sources.has(name));
  for (const { name } of fields) {
    const value = io.env[variableOf(name)] ?? "";
    if (value !== "" && !sources.has(name) && !(isGroupGiven && group.includes(name)))
      sources.set(name, { named: variableOf(name), value });
  }
  const chosen = group.flatMap((name) => sources.get(name)?.named ?? []);
  if (chosen.length > 1) {
    const names = chosen.join(", ");
    throw new UsageError({ en: `give only one of ${names}`, el: `δώστε μόνο ένα από τα ${names}` });
  }
  const alternatives = fields.filter(({ name }) => group.includes(name));
  const needed = [...fields.filter(({ required }) => required).map((field) => [field]), alternatives];
  const missing = needed.filter((one) => one.length > 0 && !one.some(({ name }) => sources.has(name)));
  requirePrompt(io, missing, sources);
  const credentials: Record<string, string> = {};
  for (const [name, source] of sources) {
    const isSecret = fields.some((field) => field.name === name && field.secret);
    if (isSecret && source.named === flagOf(name)) await warnOfSecretFlag(io, name);
    credentials[name] = await valueOf(io, source);
  }
  for (const one of missing) {
    const field = await chooseField(io, one);
    credentials[field.name] = await ask(io, field);
  }
  return credentials;
}

async function valueOf(io: ProgramIo, source: Source): Promise<string> {
  if ("value" in source) return source.value;
  return textOf(await readSecretFile(io, source.named, source.file), nameOf(source.file));
}

function rejectUnknown(
  fields: readonly CredentialField[],
  sources: Iterable<readonly [name: string, Source]>,
): void {
  const names = fields.map(({ name }) => name);
  for (const [name, { named }] of sources) {
    if (names.includes(name)) continue;
    // Only the flag is shown, because the name of a pair may be a mistyped secret.
    const [flag] = named.split(" ", 1);
    const valid = names.map(flagOf).join(", ");
    throw new UsageError({
      en: `${flag} does not belong to this provider; it takes ${valid}`,
      el: `η ${flag} δεν ανήκει σε αυτόν τον πάροχο· δέχεται ${valid}`,
    });
  }
}

/** Standard input can supply one credential or answers to prompts, but not both. Each of `missing` lists alternatives, one of which is enough. */
function requirePrompt(
  io: ProgramIo,
  missing: readonly CredentialField[][],
  sources: ReadonlyMap<string, Source>,
): void {
  const piped = [...sources.values()].filter((source) => "file" in source && source.file === "-");
  if (piped.length > 1) {
    const flags = piped.map(({ named }) => named).join(", ");
    throw new UsageError({
      en: `only one of ${flags} can read standard input`,
      el: `μόνο μία από τις ${flags} μπορεί να διαβάσει την τυπική είσοδο`,
    });
  }
  if (missing.length === 0 || (piped.length === 0 && canPrompt(io))) return;
  const flagsOr = (or: string) => missing.map((fields) => fields.map(({ name }) => flagOf(name)).join(or));
  const isOne = missing.length === 1;
  throw new UsageError({
    en: `${flagsOr(" or ").join(" and ")} ${isOne ? "is" : "are"} missing`,
    el: `${isOne ? "λείπει η" : "λείπουν οι"} ${flagsOr(" ή ").join(" και ")}`,
  });
}

async function warnOfSecretFlag(io: ProgramIo, name: string): Promise<void> {
  const [flag, file, variable] = [flagOf(name), fileFlagOf(name), variableOf(name)];
  await printNote(io, {
    en: `warning: a secret given as a flag (${flag}) stays in the shell's history; use ${file} or the environment variable ${variable}`,
    el: `προσοχή: ένα απόρρητο ως επιλογή (${flag}) μένει στο ιστορικό του κελύφους· χρησιμοποιήστε ${file} ή τη μεταβλητή περιβάλλοντος ${variable}`,
  });
}

async function chooseField(
  io: ProgramIo,
  alternatives: readonly CredentialField[],
): Promise<CredentialField> {
  const [first, ...others] = alternatives;
  if (first === undefined) throw new Error("No credential field to choose from");
  if (others.length === 0) return first;
  const choices = alternatives.map(({ name, label, help }) => ({
    value: name,
    name: toText(label),
    description: help === undefined ? undefined : toText(help),
  }));
  const flag = alternatives.map(({ name }) => flagOf(name)).join(" or ");
  const message = { en: "Choose one of these", el: "Διαλέξτε ένα από αυτά" };
  const name = await askWhich(io, choices, { flag, message });
  return alternatives.find((field) => field.name === name) ?? first;
}

function ask(io: ProgramIo, { name, label, secret }: CredentialField): Promise<string> {
  const question = { flag: flagOf(name), message: toText(label) };
  return secret ? askForSecret(io, question) : askFor(io, undefined, question);
}
