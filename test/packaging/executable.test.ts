/** Tests that the executable runs without Node, from any folder, and refuses to run files that others could have changed. */
import { execFile } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Ended, type ProgramEnvironment, runBuilt, startBuilt } from "../helpers/server-process.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const BUILD = join(ROOT, "packaging", "executable", "build.ts");

const build = (...args: string[]) => promisify(execFile)(process.execPath, [BUILD, ...args]);

test.each([
  [["--target", "plan9-x64"], "plan9-x64 is not a target"],
  [["--target", process.platform === "win32" ? "linux-x64" : "win32-x64"], "--node must name"],
])("is not built for %j, and the error says what is wrong", async (args, message) => {
  const stderr = expect.stringMatching(new RegExp(`^Cannot build the executable: .*${message}.*\n$`));
  await expect(build(...args)).rejects.toMatchObject({ code: 1, stderr });
});

describe.skipIf(process.platform !== "linux")("the executable", () => {
  const folder = mkdtempSync(join(tmpdir(), "fiscal-executable-"));
  const executable = join(folder, "fiscal");
  const cache = join(folder, "cache");
  const environment: ProgramEnvironment = {
    folder,
    command: [executable],
    // No Node in PATH, and no options for Node in the environment.
    env: { PATH: "/nowhere", XDG_CACHE_HOME: cache },
  };
  const run = (...args: string[]): Promise<Ended> => runBuilt(args, environment);
  const unpacked = (): string => {
    const [name, ...others] = readdirSync(join(cache, "fiscal"));
    expect(others).toEqual([]);
    return join(cache, "fiscal", name ?? "");
  };

  beforeAll(async () => {
    await build("--output", executable);
  });
  beforeEach(() => rmSync(cache, { recursive: true, force: true }));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("runs the quick start without Node, and serves the issued documents", async () => {
    const { code, stderr } = await run("quickstart");
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("11 issued, 1 rejected"),
    });
    const pdf = join(folder, "invoice.pdf");
    const data = ["--data-dir", join(folder, "fiscal-quickstart")];
    expect(await run(...data, "documents", "pdf", "2026-001", "--output", pdf)).toMatchObject({ code: 0 });
    expect(readFileSync(pdf).subarray(0, 5).toString()).toBe("%PDF-");
    const server = await startBuilt(environment);
    try {
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
      expect(await (await fetch(`${server.url}/docs`)).text()).toContain("viewer-");
    } finally {
      expect(await server.stop()).toBe(0);
    }
  });

  test("unpacks once, for its user only, even when several processes start at once", async () => {
    const starts = await Promise.all([1, 2, 3].map(() => run("--version")));
    expect(starts.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(statSync(unpacked()).mode & 0o077).toBe(0);
    const before = statSync(unpacked()).ino;
    await run("--version");
    expect(statSync(unpacked()).ino).toBe(before);
  });

  test("loads an external adapter", async () => {
    const module = join(folder, "adapter.js");
    writeFileSync(module, "throw new Error('the adapter was run');");
    const env = { ...environment.env, FISCAL_PROVIDERS__PROVIDER_B__MODULE: module };
    const list = () => runBuilt(["merchants", "list"], { ...environment, env });
    expect(await list()).toMatchObject({ code: 78, stderr: expect.stringContaining("the adapter was run") });
    copyFileSync(join(ROOT, "examples", "adapter", "my-adapter.js"), module);
    expect(await list()).toMatchObject({ code: 0 });
  });

  test("does not run damaged files, or files that others could have written", async () => {
    await run("--version");
    const program = unpacked();
    chmodSync(program, 0o777);
    expect(await run("--version")).toMatchObject({
      code: 78,
      stderr: expect.stringContaining("other users can write"),
    });
    chmodSync(program, 0o700);
    const prebuilds = join(program, "node_modules", "better-sqlite3", "prebuilds");
    truncateSync(join(prebuilds, readdirSync(prebuilds)[0] ?? ""), 1000);
    expect(await run("--version")).toMatchObject({ code: 78, stderr: expect.stringContaining("is damaged") });
    rmSync(program, { recursive: true });
    expect(await run("--version")).toMatchObject({ code: 0 });
  });

  test("names the variable for another folder when it cannot unpack", async () => {
    mkdirSync(cache);
    writeFileSync(join(cache, "fiscal"), "a file in the way");
    expect(await run("--version")).toMatchObject({
      code: 78,
      stderr: expect.stringContaining("XDG_CACHE_HOME"),
    });
  });
});
