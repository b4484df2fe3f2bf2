/**
 * A merchant's credentials, as the provider's form wants them: a flag beats a file, a file the environment, and what is
 * still missing is asked for (decisions 13). What fits into a field is checked where it is stored.
 */
import type { CredentialField, CredentialsForm } from "../../src/domain/credentials-form.ts";
import { textOf } from "../../src/foundation/text.ts";
import { UsageError } from "../exit.ts";
import { nameOf, readBytes } from "../input.ts";
import { type ProgramIo, tell } from "../io.ts";
import { askFor, askForSecret, askWhich, canPrompt } from "../ui/prompt.ts";

export interface CredentialOptions {
  userId?: string;
  userIdFile?: string;
  subscriptionKey?: string;
  subscriptionKeyFile?: string;
  apiKey?: string;
  apiKeyFile?: string;
  email?: string;
  providerUserId?: string;
  /** By the name of the field, for providers whose fields have no flag of their own. */
  credential?: Record<string, string>;
  credentialFile?: Record<string, string>;
}

/** Where the value of a field comes from. */
type Source = { kind: "flag" | "environment"; value: string } | { kind: "file"; file: string };

/** Fields that have a flag of their own. */
const OWN_FLAGS: ReadonlySet<string> = new Set([
  "user_id",
  "subscription_key",
  "api_key",
  "email",
  "provider_user_id",
]);
const OWN_FILE_FLAGS: ReadonlySet<string> = new Set(["user_id", "subscription_key", "api_key"]);

function flagOf(name: string): string {
  return OWN_FLAGS.has(name) ? `--${name.replaceAll("_", "-")}` : `--credential ${name}=…`;
}

function fileFlagOf(name: string): string {
  return OWN_FILE_FLAGS.has(name) ? `${flagOf(name)}-file` : `--credential-file ${name}=…`;
}

function variableOf(name: string): string {
  return `FISCAL_CREDENTIAL_${name.toUpperCase()}`;
}

/** The credentials for `form`, by the names of its fields. Throws UsageError for what cannot be asked for, or does not belong. */
export async function gatherCredentials(
  io: ProgramIo,
  form: CredentialsForm,
  options: CredentialOptions,
): Promise<Record<string, string>> {
  const sources = sourcesOf(options);
  refuseForeign(form, sources);
  addEnvironment(io, form, sources);
  refuseSeveral(form, sources);
  const missing = missingOf(form, sources);
  requireAskable(io, missing, sources);
  await warnOfFlags(io, form, sources);
  const credentials: Record<string, string> = {};
  for (const [name, source] of sources)
    credentials[name] = source.kind === "file" ? await readCredential(io, source.file) : source.value;
  for (const alternatives of missing) {
    const field = await chooseField(io, alternatives);
    credentials[field.name] = await ask(io, field);
  }
  return credentials;
}

/** What flags and files give; a field's own flag beats the general one. */
function sourcesOf(options: CredentialOptions): Map<string, Source> {
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

function refuseForeign(form: CredentialsForm, sources: ReadonlyMap<string, Source>): void {
  const names = form.fields.map(({ name }) => name);
  for (const [name, source] of sources) {
    if (names.includes(name)) continue;
    // The name of a pair is not repeated: somebody may have put the secret there.
    const [flag] = (source.kind === "file" ? fileFlagOf(name) : flagOf(name)).split(" ", 1);
    throw new UsageError(
      `${flag} does not belong to this provider; it takes ${names.map(flagOf).join(", ")}`,
    );
  }
}

/** Of fields that exclude each other, one that was given by a flag or a file leaves the environment of the others aside. */
function addEnvironment(io: ProgramIo, form: CredentialsForm, sources: Map<string, Source>): void {
  const group = form.exactlyOneOf ?? [];
  const isGroupGiven = group.some((name) => sources.has(name));
  for (const { name } of form.fields) {
    const value = io.env[variableOf(name)];
    if (value === undefined || value === "" || sources.has(name)) continue;
    if (isGroupGiven && group.includes(name)) continue;
    sources.set(name, { kind: "environment", value });
  }
}

function refuseSeveral(form: CredentialsForm, sources: ReadonlyMap<string, Source>): void {
  const given = (form.exactlyOneOf ?? []).filter((name) => sources.has(name));
  if (given.length < 2) return;
  const names = given.map((name) =>
    sources.get(name)?.kind === "environment" ? variableOf(name) : flagOf(name),
  );
  throw new UsageError(`give only one of ${names.join(", ")}`);
}

/** What must still be asked for: each with the fields of which one is enough. */
function missingOf(form: CredentialsForm, sources: ReadonlyMap<string, Source>): CredentialField[][] {
  const group = form.exactlyOneOf ?? [];
  const alternatives = form.fields.filter(({ name }) => group.includes(name));
  const isGroupMissing = alternatives.length > 0 && !group.some((name) => sources.has(name));
  const required = form.fields.filter(({ name, required: isRequired }) => isRequired && !sources.has(name));
  return [...required.map((field) => [field]), ...(isGroupMissing ? [alternatives] : [])];
}

/** Standard input holds one credential or the answers to questions, not both. */
function requireAskable(
  io: ProgramIo,
  missing: readonly CredentialField[][],
  sources: ReadonlyMap<string, Source>,
): void {
  const piped = [...sources].filter(([, source]) => source.kind === "file" && source.file === "-");
  if (piped.length > 1) {
    const flags = piped.map(([name]) => fileFlagOf(name)).join(", ");
    throw new UsageError(`only one of ${flags} can read standard input`);
  }
  if (missing.length === 0 || (piped.length === 0 && canPrompt(io))) return;
  const flags = missing.map((fields) => fields.map(({ name }) => flagOf(name)).join(" or "));
  throw new UsageError(`${flags.join(" and ")} ${flags.length === 1 ? "is" : "are"} missing`);
}

async function warnOfFlags(
  io: ProgramIo,
  form: CredentialsForm,
  sources: ReadonlyMap<string, Source>,
): Promise<void> {
  for (const { name, secret } of form.fields) {
    if (!secret || sources.get(name)?.kind !== "flag") continue;
    const better = `${fileFlagOf(name)} or the environment variable ${variableOf(name)}`;
    await tell(
      io,
      `warning: a secret given as a flag (${flagOf(name)}) stays in the shell's history; ${better} keeps it out`,
    );
  }
}

/** Far above the longest credential; a wrong file is not read whole. */
const CREDENTIAL_BYTES_MAX = 65_536;

/** The content of `file` without the line break that editors and `echo` end it with. */
async function readCredential(io: ProgramIo, file: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of readBytes(io, file)) {
    bytes += chunk.length;
    if (bytes > CREDENTIAL_BYTES_MAX)
      throw new UsageError(`${nameOf(file)} holds more than ${CREDENTIAL_BYTES_MAX} bytes: no credential`);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)).replace(/\r?\n$/, "");
  } catch (error) {
    throw new UsageError(`${nameOf(file)} is not UTF-8 text`, { cause: error });
  }
}

async function chooseField(
  io: ProgramIo,
  alternatives: readonly CredentialField[],
): Promise<CredentialField> {
  const [first, ...others] = alternatives;
  if (first === undefined) throw new Error("A form asks for one of no fields");
  if (others.length === 0) return first;
  const choices = alternatives.map(({ name, label, help }) => ({
    value: name,
    name: textOf(label).en,
    description: help === undefined ? undefined : textOf(help).en,
  }));
  const flag = alternatives.map(({ name }) => flagOf(name)).join(" or ");
  const name = await askWhich(io, choices, { flag, message: "Give one of these" });
  return alternatives.find((field) => field.name === name) ?? first;
}

function ask(io: ProgramIo, { name, label, secret }: CredentialField): Promise<string> {
  const question = { flag: flagOf(name), message: textOf(label).en };
  return secret ? askForSecret(io, question) : askFor(io, undefined, question);
}
