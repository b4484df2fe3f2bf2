/** Tests the example of an external adapter: with its own test, its types, and in the built program. */
import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { beforeEach, expect, test } from "vitest";
import { createClock } from "../../src/foundation/clock.ts";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import { buildDocument } from "../helpers/documents.ts";
import { makeFolder } from "../helpers/folder.ts";
import { runBuilt } from "../helpers/server-process.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const EXAMPLE = join(ROOT, "examples/adapter");
const COMPILER = join(ROOT, "node_modules/typescript/bin/tsc");
const run = promisify(execFile);

interface FakeProviderModule {
  TOKEN: string;
  startFakeProvider(): Promise<{ url: string; registrations(): number; close(): Promise<void> }>;
}

/** Untyped here; the types in its comments are checked below. */
const { TOKEN, startFakeProvider } = createRequire(import.meta.url)(
  join(EXAMPLE, "fake-provider.js"),
) as FakeProviderModule;

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});

test("passes the package's conformance suite in Node's own test runner", async () => {
  // Without the variables that vitest sets for its own processes.
  const env = { PATH: process.env["PATH"] ?? "" };
  const { stdout } = await run(
    process.execPath,
    ["--test", "--test-reporter=tap", join(EXAMPLE, "my-adapter.test.js")],
    { env },
  );
  expect(stdout).toMatch(/^# pass (1[5-9]|[2-9][0-9])$/m);
  expect(stdout).toMatch(/^# fail 0$/m);
});

/** Code of an author who installed the package, checked as strictly as possible, including the libraries' types. */
const AUTHOR = `
import type { AdapterHost, CreateAdapter, IssueOutcome, ProviderAdapter } from "fiscal/adapter";
import { describeAdapter, nobodyListens, type Scenes } from "fiscal/adapter-test";

declare const whole: ProviderAdapter;
declare const scenes: Scenes;
const unreachable: Scenes["unreachable"] = () => nobodyListens();
const createAdapter: CreateAdapter = async (host: AdapterHost) => ({ ...whole, provider: host.provider });
export default createAdapter;
for (const { name, run } of describeAdapter({ name: "mine", credentials: null, createAdapter, scenes: { ...scenes, unreachable } })) {
  void [name satisfies string, run() satisfies Promise<void>];
}
export function markOf(outcome: IssueOutcome): string | null {
  return outcome.kind === "issued" ? outcome.mark : null;
}
export function net(...[document]: Parameters<ProviderAdapter["buildPayload"]>): number {
  return document.input.totals.net;
}
// @ts-expect-error: an adapter has more than a name.
export const partly: ProviderAdapter = { provider: "provider_b" };
// @ts-expect-error: misspelled member.
export const wrong = (outcome: IssueOutcome) => outcome.kind === "not_send";
`;

test("has types in TypeScript and in JavaScript comments", async () => {
  await mkdir(join(folder, "node_modules/@types"), { recursive: true });
  await symlink(ROOT, join(folder, "node_modules/fiscal"));
  await symlink(join(ROOT, "node_modules/@types/node"), join(folder, "node_modules/@types/node"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(join(folder, "author.ts"), AUTHOR);
  const options = ["--strict", "--module", "nodenext", "--target", "es2024", "--types", "node", "--noEmit"];
  const files = [
    join(folder, "author.ts"),
    join(EXAMPLE, "my-adapter.js"),
    join(EXAMPLE, "my-adapter.test.js"),
  ];
  const args = [COMPILER, "--ignoreConfig", ...options, "--allowJs", "--checkJs", ...files];
  const { stdout } = await run(process.execPath, args, { cwd: folder }).catch(
    (failed: { stdout: string }) => failed,
  );
  expect(stdout).toBe("");
});

const SHOP = ["--external-id", "shop", "--name", "Παράδειγμα Α.Ε.", "--tax-id", "123456783"];
const CONNECT = ["--merchant", "shop", "--provider", "provider_b", "--credential", `token=${TOKEN}`];

test("connects a merchant and issues a document with a MARK in the built program", async () => {
  const fake = await startFakeProvider();
  try {
    const module = join(EXAMPLE, "my-adapter.js");
    const env = { FISCAL_PROVIDERS__PROVIDER_B__MODULE: module, IMAGINARY_TEST_URL: fake.url };
    const fiscal = (...args: string[]) => runBuilt(args, { folder, env });
    expect(await fiscal("merchants", "add", ...SHOP)).toMatchObject({ code: 0 });
    const connected = await fiscal("connections", "add", ...CONNECT, "--json");
    expect(JSON.parse(connected.stdout)).toMatchObject({ provider: "provider_b", status: "active" });
    // The program uses the machine's clock.
    const document = buildDocument("1.1", { issue_date: createClock().today() });
    await writeFile(join(folder, "document.json"), JSON.stringify({ document }));
    const issued = await fiscal("documents", "issue", "document.json", "--merchant", "shop", "--json");
    expect(issued).toMatchObject({ code: 0 });
    const [made] = (JSON.parse(issued.stdout) as { data: DocumentObject[] }).data;
    expect(made).toMatchObject({ status: "issued", provider: "provider_b", mark: "400001000000001" });
    expect(fake.registrations()).toBe(1);
    const calls = await fiscal("calls", "list", "--json");
    expect(calls.stdout).toContain("/invoices");
    expect(calls.stdout + issued.stdout + connected.stdout).not.toContain(TOKEN);
  } finally {
    await fake.close();
  }
});

test("ends the built program with 78 and the name of the setting if the module does not exist", async () => {
  const env = { FISCAL_PROVIDERS__PROVIDER_B__MODULE: "./gone.js" };
  const ended = await runBuilt(["init", "--yes"], { folder, env });
  expect(ended).toMatchObject({ code: 78, stdout: "" });
  expect(ended.stderr).toContain("providers.provider_b.module");
});
