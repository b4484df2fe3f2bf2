import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { beforeEach, describe, expect, test } from "vitest";
import type { CredentialOptions } from "../../commands/connections/credential-flags.ts";
import { gatherCredentials } from "../../commands/connections/credentials.ts";
import type { CredentialsForm } from "../../src/domain/credentials-form.ts";
import { makeFolder } from "../helpers/folder.ts";
import { createIo } from "../helpers/program.ts";

const optional = { secret: false, required: false, lengthMax: 20 };
const required = { ...optional, required: true };

/** The form of an external provider, whose fields have no flags of their own. */
const FORM: CredentialsForm = {
  fields: [
    { name: "tenant", label: "Tenant", ...required },
    { name: "pass_phrase", label: "Pass phrase", ...required, secret: true },
    { name: "note", label: "Note", ...optional },
  ],
};

const CHOICE: CredentialsForm = {
  fields: [
    { name: "api_key", label: "API key", ...required, secret: true },
    { name: "email", label: "Email", ...optional, format: "email" },
    { name: "provider_user_id", label: "User id", ...optional },
  ],
  exactlyOneOf: ["email", "provider_user_id"],
};

let folder: string;
beforeEach(async () => {
  folder = makeFolder();
  await writeFile(join(folder, "key"), "of the file\r\n");
});

type Env = Record<string, string>;

/** `env` has the variables without their prefix. */
async function gather(form: CredentialsForm, options: CredentialOptions, env: Env = {}) {
  const stderr = new PassThrough();
  const io = createIo({
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [`FISCAL_CREDENTIAL_${name}`, value])),
    cwd: folder,
    stdin: Readable.from([Buffer.from("open sesame\n\n")]),
    stderr,
  });
  const credentials = await gatherCredentials(io, form, options);
  return { credentials, stderr: ((stderr.read() as Buffer | null) ?? "").toString() };
}

describe("the credentials of a form", () => {
  test("are given by name without their own flag, with a warning only for secrets", async () => {
    const given = { tenant: "t-1", pass_phrase: "a=b" };
    const { credentials, stderr } = await gather(FORM, { credential: given });
    expect(credentials).toEqual(given);
    expect(stderr).toContainAll("--credential-file pass_phrase=", "FISCAL_CREDENTIAL_PASS_PHRASE");
    expect(stderr.split("\n")).toHaveLength(2);
    expect(stderr).not.toMatch(/t-1|a=b/);
  });

  const GENERAL = { credential: { api_key: "general", email: "c@d.gr" } };
  const OWN = { email: "a@b.gr", apiKey: "own", apiKeyFile: "not-there" };
  const ENV = { API_KEY: "k", EMAIL: "e@f.gr" };

  test.each<[what: string, options: CredentialOptions, env: Env, credentials: Record<string, string>]>([
    ["the general flag", GENERAL, {}, { api_key: "general", email: "c@d.gr" }],
    [
      "their own flags before it and before a file",
      { ...GENERAL, ...OWN },
      {},
      { api_key: "own", email: "a@b.gr" },
    ],
    ["the environment", {}, ENV, { api_key: "k", email: "e@f.gr" }],
    [
      "a flag and a file before it",
      { email: "a@b.gr", apiKeyFile: "key" },
      ENV,
      { api_key: "of the file", email: "a@b.gr" },
    ],
    [
      "the alternative that a flag gives",
      { providerUserId: "u-1" },
      ENV,
      { api_key: "k", provider_user_id: "u-1" },
    ],
  ])("come from %s", async (_what, options, env, credentials) => {
    expect((await gather(CHOICE, options, env)).credentials).toEqual(credentials);
  });

  test("come from the environment and standard input without a warning, also optional ones", async () => {
    const env = { TENANT: "t-1", NOTE: "n", API_KEY: "of another form" };
    const credentials = { tenant: "t-1", pass_phrase: "open sesame\n", note: "n" };
    const gathered = await gather(FORM, { credentialFile: { pass_phrase: "-" } }, env);
    expect(gathered).toEqual({ credentials, stderr: "" });
  });

  test("are missing if their variable is empty", async () => {
    const gathering = gather(FORM, { credential: { pass_phrase: "p" } }, { TENANT: "" });
    await expect(gathering).rejects.toThrow(/^--credential tenant=… is missing$/);
  });

  test.each<[says: string, options: CredentialOptions, env?: Env]>([
    ["give only one of --email, --provider-user-id", { email: "a@b.gr", providerUserId: "u-1" }],
    [
      "give only one of FISCAL_CREDENTIAL_EMAIL, FISCAL_CREDENTIAL_PROVIDER_USER_ID",
      {},
      { EMAIL: "a@b.gr", PROVIDER_USER_ID: "u-1" },
    ],
    ["--api-key and --email or --provider-user-id are missing", {}],
    ["--email or --provider-user-id is missing", { apiKeyFile: "-" }],
    ["--user-id does not belong to this provider", { userId: "u-1" }],
    ["--subscription-key-file does not belong", { subscriptionKeyFile: "f" }],
    ["--credential-file does not belong", { credentialFile: { hunter2: "f" } }],
    [
      "only one of --credential-file email=…, --api-key-file can read standard input",
      { apiKeyFile: "-", credentialFile: { email: "-" } },
    ],
    ["none cannot be used: there is no such file", { email: "a@b.gr", apiKeyFile: "none" }],
  ])("are refused: %s", async (says, options, env) => {
    const gathering = gather(CHOICE, options, env);
    await expect(gathering).rejects.toMatchObject({ name: "UsageError" });
    await expect(gathering).rejects.toThrow(says);
    await expect(gathering).rejects.not.toThrow(/hunter2/);
  });

  test.each([
    ["is not UTF-8", Buffer.from([0xff, 0xfe, 0x41])],
    ["more than 65536 bytes", Buffer.alloc(70_000, "a")],
  ])("are refused in a file that %s", async (says, bytes) => {
    await writeFile(join(folder, "key"), bytes);
    await expect(gather(CHOICE, { email: "a@b.gr", apiKeyFile: "key" })).rejects.toThrow(says);
  });
});
