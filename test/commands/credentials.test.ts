import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { beforeEach, describe, expect, test } from "vitest";
import type { CredentialOptions } from "../../commands/connections/credential-flags.ts";
import { gatherCredentials } from "../../commands/connections/credentials.ts";
import type { CredentialsForm } from "../../src/domain/credentials-form.ts";
import { makeFolder } from "../helpers/folder.ts";
import { createIo } from "../helpers/program.ts";

/** The form of an external provider: only one of its fields has its own flag. */
const FORM: CredentialsForm = {
  fields: [
    { name: "tenant", label: "Tenant", secret: false, required: true, lengthMax: 20 },
    { name: "pass_phrase", label: "Pass phrase", secret: true, required: true, lengthMax: 20 },
    { name: "note", label: "Note", secret: false, required: false, lengthMax: 20 },
  ],
};

const CHOICE_FORM: CredentialsForm = {
  fields: [
    { name: "api_key", label: "API key", secret: true, required: true, lengthMax: 20 },
    { name: "email", label: "Email", secret: false, required: false, lengthMax: 20, format: "email" },
    { name: "provider_user_id", label: "User id", secret: false, required: false, lengthMax: 20 },
  ],
  exactlyOneOf: ["email", "provider_user_id"],
};

let folder: string;
beforeEach(() => void (folder = makeFolder()));

async function gather(
  form: CredentialsForm,
  options: CredentialOptions,
  world: { env?: Record<string, string>; stdin?: string } = {},
): Promise<{ credentials: Record<string, string>; stderr: string }> {
  const stderr = new PassThrough();
  const stdin = Readable.from(world.stdin === undefined ? [] : [Buffer.from(world.stdin)]);
  const io = createIo({ env: world.env ?? {}, cwd: folder, stdin, stderr });
  const credentials = await gatherCredentials(io, form, options);
  return { credentials, stderr: ((stderr.read() as Buffer | null) ?? "").toString() };
}

describe("the credentials of a form", () => {
  test("are given by name without their own flag, with a warning only for secrets", async () => {
    const { credentials, stderr } = await gather(FORM, {
      credential: { tenant: "t-1", pass_phrase: "a=b" },
    });
    expect(credentials).toEqual({ tenant: "t-1", pass_phrase: "a=b" });
    expect(stderr).toContain("--credential-file pass_phrase=");
    expect(stderr).toContain("FISCAL_CREDENTIAL_PASS_PHRASE");
    expect(stderr.split("\n")).toHaveLength(2);
    expect(stderr).not.toMatch(/t-1|a=b/);
  });

  test("come from the environment and standard input without a warning, also optional ones", async () => {
    const gathered = await gather(
      FORM,
      { credentialFile: { pass_phrase: "-" } },
      { env: { FISCAL_CREDENTIAL_TENANT: "t-1", FISCAL_CREDENTIAL_NOTE: "n" }, stdin: "open sesame\n\n" },
    );
    expect(gathered).toEqual({
      credentials: { tenant: "t-1", pass_phrase: "open sesame\n", note: "n" },
      stderr: "",
    });
  });

  test("prefer their own flag to the general one, and a value to a file", async () => {
    const { credentials } = await gather(CHOICE_FORM, {
      email: "a@b.gr",
      apiKey: "own",
      apiKeyFile: "not-there",
      credential: { api_key: "general", email: "c@d.gr" },
    });
    expect(credentials).toEqual({ email: "a@b.gr", api_key: "own" });
    const general = await gather(CHOICE_FORM, { credential: { api_key: "general", email: "c@d.gr" } });
    expect(general.credentials).toEqual({ api_key: "general", email: "c@d.gr" });
  });

  test("prefer a flag, and a file, to the environment", async () => {
    await writeFile(join(folder, "key"), "of the file\r\n");
    const env = { FISCAL_CREDENTIAL_API_KEY: "of the environment", FISCAL_CREDENTIAL_EMAIL: "e@f.gr" };
    const { credentials } = await gather(CHOICE_FORM, { email: "a@b.gr", apiKeyFile: "key" }, { env });
    expect(credentials).toEqual({ email: "a@b.gr", api_key: "of the file" });
  });

  test("ignore empty variables and variables of other fields", async () => {
    const env = { FISCAL_CREDENTIAL_TENANT: "", FISCAL_CREDENTIAL_API_KEY: "x" };
    await expect(gather(FORM, { credential: { pass_phrase: "p" } }, { env })).rejects.toThrow(
      /^--credential tenant=… is missing$/,
    );
  });

  test("ignore the variables of alternatives if a flag gives one of them", async () => {
    const env = { FISCAL_CREDENTIAL_API_KEY: "k", FISCAL_CREDENTIAL_EMAIL: "a@b.gr" };
    expect((await gather(CHOICE_FORM, {}, { env })).credentials).toEqual({ api_key: "k", email: "a@b.gr" });
    expect((await gather(CHOICE_FORM, { providerUserId: "u-1" }, { env })).credentials).toEqual({
      api_key: "k",
      provider_user_id: "u-1",
    });
  });

  test.each<{ options: CredentialOptions; env?: Record<string, string>; says: string }>([
    {
      options: { email: "a@b.gr", providerUserId: "u-1" },
      says: "give only one of --email, --provider-user-id",
    },
    {
      options: {},
      env: { FISCAL_CREDENTIAL_EMAIL: "a@b.gr", FISCAL_CREDENTIAL_PROVIDER_USER_ID: "u-1" },
      says: "give only one of FISCAL_CREDENTIAL_EMAIL, FISCAL_CREDENTIAL_PROVIDER_USER_ID",
    },
    { options: {}, says: "--api-key and --email or --provider-user-id are missing" },
    { options: { apiKeyFile: "-" }, says: "--email or --provider-user-id is missing" },
    { options: { userId: "u-1" }, says: "--user-id does not belong to this provider" },
    { options: { subscriptionKeyFile: "f" }, says: "--subscription-key-file does not belong" },
    { options: { credentialFile: { hunter2: "f" } }, says: "--credential-file does not belong" },
    {
      options: { apiKeyFile: "-", credentialFile: { email: "-" } },
      says: "only one of --credential-file email=…, --api-key-file can read standard input",
    },
    { options: { email: "a@b.gr", apiKeyFile: "none" }, says: "none cannot be used: there is no such file" },
  ])("rejects $options with $env: $says", async ({ options, env, says }) => {
    const gathering = gather(CHOICE_FORM, options, env === undefined ? {} : { env });
    await expect(gathering).rejects.toMatchObject({ name: "UsageError" });
    await expect(gathering).rejects.toThrow(says);
    await expect(gathering).rejects.not.toThrow(/hunter2/);
  });

  test.each([
    { what: "bytes that are no text", bytes: Buffer.from([0xff, 0xfe, 0x41]), says: "is not UTF-8" },
    { what: "a wrong, large file", bytes: Buffer.alloc(70_000, "a"), says: "more than 65536 bytes" },
  ])("rejects $what", async ({ bytes, says }) => {
    await writeFile(join(folder, "key"), bytes);
    await expect(gather(CHOICE_FORM, { email: "a@b.gr", apiKeyFile: "key" })).rejects.toThrow(says);
  });
});
