/** External adapters: the names that the setting accepts, and the errors for unusable modules. */
import { chmodSync, chownSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { ConfigurationError } from "../../src/foundation/errors.ts";
import { createExchange } from "../../src/providers/exchange.ts";
import { loadAdapter } from "../../src/providers/adapter-module.ts";
import { openBench } from "../helpers/appliance.ts";
import { makeFolder } from "../helpers/folder.ts";
import { closing } from "../helpers/set-up.ts";

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});

const HOST = { exchange: createExchange(), today: () => "2026-11-02" };

/** An adapter whose field label shows what it was created with. */
const ADAPTER = `{
  provider: host.provider, numbering: "ours", issueBatchMax: 1, canCancel: false,
  credentials: { fields: [{ name: "token", label: host.today(), secret: true, required: true, lengthMax: 9 }] },
  settle: { askings: 1, seconds: 0 },
  buildPayload: () => ({}), issue: async () => [], status: async () => [], reconcile: async () => [],
  cancel: async () => {}, findCancellation: async () => {}, fetchPdf: async () => ({ kind: "none" }),
  verify: async () => ({ kind: "accepted" }),
}`;

function write(name: string, text: string): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const load = (module: string) => loadAdapter({ provider: "provider_c", module, folder }, HOST);

const BROKEN = 'throw new Error("no licence");';

/** The error, which ends the program with exit code 78. */
async function refusal(module: string): Promise<string> {
  const error = await load(module).catch((thrown: unknown) => thrown);
  if (!(error instanceof ConfigurationError)) throw new Error("No ConfigurationError was thrown");
  expect(error.message).toContain("providers.provider_c.module");
  return error.message;
}

describe("a module is loaded", () => {
  test.each([
    ["an ES module's default export", "a.mjs", `export default (host) => (${ADAPTER});`],
    ["an ES module's createAdapter", "a.mjs", `export const createAdapter = (host) => (${ADAPTER});`],
    ["an ES module of a package", "a.js", `export default async (host) => (${ADAPTER});`],
    ["CommonJS that is the function", "a.cjs", `module.exports = (host) => (${ADAPTER});`],
    ["CommonJS with createAdapter", "a.cjs", `exports.createAdapter = async (host) => (${ADAPTER});`],
    [
      "CommonJS that a compiler made of an ES module",
      "a.cjs",
      `Object.defineProperty(exports, "__esModule", { value: true }); exports.default = (host) => (${ADAPTER});`,
    ],
    ["TypeScript", "a.mts", `export default (host: { provider: string; today(): string }) => (${ADAPTER});`],
  ])("from %s", async (_what, name, text) => {
    write("package.json", '{ "type": "module" }');
    write(name, text);
    const adapter = await load(`./${name}`);
    expect(adapter).toMatchObject({
      provider: "provider_c",
      credentials: { fields: [{ label: "2026-11-02" }] },
    });
  });

  test("by an absolute path, and by a relative one without a dot", async () => {
    const file = write("deep folder #1/ä?.mjs", `export default (host) => (${ADAPTER});`);
    expect(await load(file)).toMatchObject({ provider: "provider_c" });
    expect(await load("deep folder #1/ä?.mjs")).toMatchObject({ provider: "provider_c" });
  });

  test("with packages installed next to it", async () => {
    write("node_modules/settings/index.cjs", 'exports.mark = "provider_c";');
    write("node_modules/settings/package.json", '{ "main": "index.cjs" }');
    write(
      "a.mjs",
      `import { mark } from "settings"; export default (host) => ({ ...${ADAPTER}, provider: mark });`,
    );
    expect(await load("a.mjs")).toMatchObject({ provider: "provider_c" });
  });
});

test.each([
  ["that does not exist", null, "./gone.mjs"],
  ["that is not JavaScript", "export default (", "cannot be loaded"],
  ["that throws while loading", BROKEN, "no licence"],
  ["that imports a missing package", 'import "not-installed-anywhere";', "not-installed-anywhere"],
  ["that exports nothing", "export {};", "createAdapter"],
  ["whose exports are not functions", "export default 1; export const createAdapter = {};", "createAdapter"],
  ["that cannot create its adapter", `export default () => { ${BROKEN} };`, "no licence"],
  ["that creates no adapter", "export default () => undefined;", "is required"],
  [
    "that creates another provider's adapter",
    `export default (host) => ({ ...${ADAPTER}, provider: "x" });`,
    "provider: must be",
  ],
  [
    "whose adapter is incomplete",
    `export default (host) => ({ ...${ADAPTER}, verify: 1, settle: null });`,
    "verify: must be a function; settle: must be an object",
  ],
])("a module is rejected %s", async (_what, text, reason) => {
  if (text !== null) write("a.mjs", text);
  const message = await refusal(text === null ? "./gone.mjs" : "./a.mjs");
  expect(message).toContain(text === null ? "providers.provider_c.module" : reason);
  expect(message).not.toContain("\n");
});

// docs/contract.md#configuration-permissions
describe.skipIf(process.platform === "win32")("a module that other users can change", () => {
  const LOADED = "globalThis.untrustedModuleRan = true;";

  test("is refused before it runs", async () => {
    chmodSync(write("a.mjs", LOADED), 0o666);
    expect(await refusal("./a.mjs")).toContain(`chmod go-w ${join(folder, "a.mjs")}`);
    expect(globalThis).not.toHaveProperty("untrustedModuleRan");
  });

  test("is refused without its extension and behind a link too", async () => {
    const file = write("a.js", LOADED);
    chmodSync(file, 0o666);
    expect(await refusal("./a")).toContain(`chmod go-w ${file}`);
    symlinkSync(file, join(folder, "link.cjs"));
    expect(await refusal("./link.cjs")).toContain("chmod go-w");
    expect(globalThis).not.toHaveProperty("untrustedModuleRan");
  });

  test.runIf(process.geteuid?.() === 0)("is refused when it belongs to somebody else", async () => {
    chownSync(write("a.mjs", LOADED), 4321, 0);
    expect(await refusal("./a.mjs")).toContain("belongs to another user (uid 4321)");
  });
});

describe("the appliance", () => {
  test("has the providers that its configuration names, and no others", async () => {
    const file = write("a.mjs", `export default (host) => (${ADAPTER});`);
    await using bench = await closing(openBench({ env: { FISCAL_PROVIDERS__PROVIDER_D__MODULE: file } }));
    const { providers } = bench.appliance;
    expect(providers.get("provider_d")).toMatchObject({ provider: "provider_d" });
    expect(providers.find("provider_b")).toBeUndefined();
  });

  test("resolves a relative path from the configuration file's folder", async () => {
    write("config.toml", '[providers.provider_b]\nmodule = "./adapters/a.mjs"\n');
    write("adapters/a.mjs", `export default (host) => (${ADAPTER});`);
    await using bench = await closing(openBench({ folder, env: { FISCAL_CONFIG: "config.toml" } }));
    expect(bench.appliance.providers.get("provider_b")).toMatchObject({ provider: "provider_b" });
  });

  test("does not open, and creates nothing, if a module is unusable", async () => {
    const env = { FISCAL_PROVIDERS__PROVIDER_E__MODULE: write("a.mjs", "export {};") };
    await expect(openBench({ env, folder })).rejects.toThrow("providers.provider_e.module");
    expect(existsSync(join(folder, "data"))).toBe(false);
  });
});
