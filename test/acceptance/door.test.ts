/** bin/fiscal.js runs the program on a suitable Node, or prints a clear line; it never crashes. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { transform } from "esbuild";
import { beforeEach, describe, expect, test } from "vitest";
import { makeFolder } from "../helpers/folder.ts";

const ROOT = resolve(import.meta.dirname, "../..");

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});

/** A package with the real bin/fiscal.js; `program` is the body of `async (args, io) => { … }`. Without one, nothing is built. */
function install(program?: string): string {
  const root = join(folder, "package");
  cpSync(join(ROOT, "bin"), join(root, "bin"), { recursive: true });
  writeFileSync(join(root, "package.json"), '{ "version": "4.5.6", "type": "module" }');
  if (program !== undefined) {
    mkdirSync(join(root, "dist"), { recursive: true });
    writeFileSync(
      join(root, "dist/fiscal.mjs"),
      `export const runProgram = async (args, io) => { ${program} };`,
    );
  }
  return join(root, "bin/fiscal.js");
}

/** Makes this Node report another version. */
function pretend(version: string): string[] {
  const file = join(folder, "pretend.cjs");
  const versions = `{ ...process.versions, node: ${JSON.stringify(version)} }`;
  writeFileSync(file, `Object.defineProperty(process, "versions", { value: ${versions} });`);
  return ["--require", file];
}

/** Makes this Node fail to open a standard stream, as on Windows with pipes of another system. */
function withoutStream(name: string): string[] {
  const file = join(folder, "without-stream.cjs");
  const open = 'get() { throw Object.assign(new Error("open EBADF"), { code: "EBADF" }); }';
  writeFileSync(
    file,
    `Object.defineProperty(process, ${JSON.stringify(name)}, { configurable: true, ${open} });`,
  );
  return ["--require", file];
}

interface Started {
  child: ChildProcess;
  /** Waits until stdout contains `text`. */
  shows(text: string): Promise<void>;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }>;
}

function start(
  args: readonly string[],
  env: Record<string, string> = {},
  executable: string = process.execPath,
  input = "",
): Started {
  const base = { PATH: process.env["PATH"] ?? "", HOME: folder };
  const child = spawn(executable, args, { env: { ...base, ...env }, cwd: folder });
  child.stdin.end(input);
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal, stdout, stderr }));
  const shows = async (text: string) => {
    while (!stdout.includes(text)) await once(child.stdout, "data");
  };
  return { child, shows, ended };
}

const SAY_ALL = `io.stdout.write(JSON.stringify({ args, cwd: io.cwd, version: io.version, root: io.packageRoot,
  home: io.env.HOME })); return 3;`;

describe("with a suitable Node", () => {
  test("passes arguments and environment to the program, and returns its exit code", async () => {
    const bin = install(SAY_ALL);
    const { code, stdout } = await start([bin, "documents", "--json"]).ended;
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      args: ["documents", "--json"],
      cwd: folder,
      version: "4.5.6",
      root: join(folder, "package"),
      home: folder,
    });
  });

  test("flushes all output", async () => {
    const bin = install('io.stdout.write("x".repeat(3_000_000)); return 0;');
    expect((await start([bin]).ended).stdout).toHaveLength(3_000_000);
  });

  test("exits normally when the reader closes the pipe", async () => {
    const program = `for (let i = 0; i < 100; i += 1) {
      const error = await new Promise((done) => io.stdout.write("x".repeat(100_000), done));
      if (error) return error.code === "EPIPE" ? 0 : 9;
    } return 8;`;
    const { child, ended } = start([install(program)]);
    child.stdout?.once("data", () => child.stdout?.destroy());
    expect(await ended).toMatchObject({ code: 0, stderr: "" });
  });

  const QUOTE = `for await (const part of io.stdin) io.stdout.write(part);
    await new Promise((done) => io.stderr.write("done", done)); return 4;`;

  test.each(["stdin", "stdout", "stderr"])("uses a pipe that Node cannot open as %s", async (name) => {
    const args = [...withoutStream(name), install(QUOTE)];
    const { ended } = start(args, {}, undefined, "γεια");
    expect(await ended).toEqual({ code: 4, signal: null, stdout: "γεια", stderr: "done" });
  });

  test("prints one line with instructions when the program is not built", async () => {
    const { code, stdout, stderr } = await start([install()]).ended;
    expect({ code, stdout }).toEqual({ code: 78, stdout: "" });
    expect(stderr).toMatch(/^fiscal: the program is not built; run `npm rebuild && npm run build` in .*\n$/);
  });

  test.each([
    'throw new Error("odd")',
    'setTimeout(() => { throw new Error("odd"); }); await new Promise(() => {})',
  ])("an uncaught error is one line, with its stack for debugging: %s", async (program) => {
    const bin = install(program);
    expect(await start([bin]).ended).toMatchObject({ code: 1, stderr: "fiscal: unexpected error: odd\n" });
    expect((await start([bin], { NODE_DEBUG: "fiscal" }).ended).stderr).toContain("    at ");
    const { code, stderr } = await start([...withoutStream("stderr"), bin]).ended;
    expect({ code, stderr }).toEqual({ code: 1, stderr: "fiscal: unexpected error: odd\n" });
  });

  test("ends on a signal, or calls the program's own handler", async () => {
    const idle = 'const timer = setInterval(() => {}, 1000); io.stdout.write("ready");';
    const plain = start([install(`${idle} await new Promise(() => {});`)]);
    await plain.shows("ready");
    plain.child.kill("SIGTERM");
    expect((await plain.ended).signal).toBe("SIGTERM");
    rmSync(join(folder, "package"), { recursive: true });

    const caught = `const signal = await new Promise((done) => { io.onInterrupt(done); ${idle} setTimeout(clearInterval, 9e6, timer).unref(); });
      io.stdout.write(signal); process.exitCode = 0; setImmediate(() => process.exit()); return 0;`;
    const polite = start([install(caught)]);
    await polite.shows("ready");
    polite.child.kill("SIGINT");
    expect(await polite.ended).toMatchObject({ code: 0, stdout: "readySIGINT" });
  });
});

test("stopping npx, whose shell forwards no signals, stops the program", async () => {
  const program = `const signal = await new Promise((done) => { io.onInterrupt(done); setInterval(() => {}, 1000);
    io.stdout.write("ready;"); }); io.stdout.write(signal); setImmediate(() => process.exit()); return 0;`;
  const script = `'${process.execPath}' '${install(program)}'; exit 0`;
  const { child, shows, ended } = start(["-c", script], { npm_command: "exec" }, "/bin/sh");
  await shows(";");
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ signal: "SIGTERM", stdout: "ready;SIGTERM", stderr: "" });
});

const again = `const timer = setInterval(() => {}, 1000);
    let count = 0;
    await new Promise((done) => { const off = io.onInterrupt(() => { count += 1; off(); done(); });
      process.kill(process.pid, "SIGINT"); });`;

test("a repeated Ctrl-C has no effect the second time, even if the program no longer handles it", async () => {
  const program = `${again} process.kill(process.pid, "SIGINT");
      for (let turn = 0; turn < 50; turn += 1) await new Promise((done) => setImmediate(done));
      clearInterval(timer); io.stdout.write(String(count)); return 0;`;
  expect(await start([install(program)]).ended).toMatchObject({ code: 0, signal: null, stdout: "1" });
});

test("another signal right after a Ctrl-C ends the program", async () => {
  const program = `${again} process.kill(process.pid, "SIGTERM"); await new Promise(() => {});`;
  expect((await start([install(program)]).ended).signal).toBe("SIGTERM");
});

test.each([
  ["12.22.12", false],
  ["20.20.2", false],
  ["22.22.1", false],
  ["22.22.2", true],
  ["22.23.0", true],
  ["23.11.0", false],
  ["24.14.9", false],
  ["24.15.0", true],
  ["25.9.0", false],
  ["26.0.0", true],
  ["30.1.0", true],
])("Node %s is suitable: %s", async (version, isRight) => {
  const bin = install("return 0;");
  const { code, stderr } = await start([...pretend(version), bin]).ended;
  expect(code).toBe(isRight ? 0 : 78);
  if (!isRight) expect(stderr).toMatch(/^fiscal: this is Node [\d.]+, .*install Node.*\n$/);
});

test("an old Node is explained in Greek to who reads Greek", async () => {
  const { stderr } = await start([...pretend("20.20.2"), install("return 0;")], { LANG: "el_GR.UTF-8" })
    .ended;
  expect(stderr).toMatch(/^fiscal: αυτό είναι το Node 20\.20\.2, .*εγκαταστήστε.*\n$/);
});

test.each(["fiscal.js", "streams.js"])("%s uses only syntax that Node 12 can read", async (file) => {
  const source = readFileSync(join(ROOT, "bin", file), "utf8");
  const asItIs = await transform(source, { target: "esnext" });
  expect((await transform(source, { target: "node12" })).code).toBe(asItIs.code);
  expect((await transform("a?.b", { target: "node12" })).code).not.toContain("?.");
});

const OTHER_USER = 54_321;
const FOREIGN_PLACES: [where: string, name: string, mode: number, owner: number][] = [
  ["the folder can be written by others", "fiscal/compiled", 0o777, 0],
  ["the folder is another user's", "fiscal/compiled", 0o755, OTHER_USER],
  ["the folder above it is another user's", "fiscal", 0o777, OTHER_USER],
  ["the cache is another user's, as under sudo", "", 0o755, OTHER_USER],
];

describe("compiled code", () => {
  const bin = () => install('io.stdout.write("ran"); return 0;');
  const cache = () => join(folder, "cache");
  const run = (env: Record<string, string> = { XDG_CACHE_HOME: cache() }) =>
    start([bin(), "list"], env).ended;
  const kept = () => readdirSync(join(cache(), "fiscal/compiled"), { recursive: true, withFileTypes: true });

  test("is kept in the user's cache, in a folder of the user alone, and not in the package", async () => {
    expect(await run()).toMatchObject({ code: 0, stdout: "ran" });
    expect(statSync(join(cache(), "fiscal/compiled")).mode & 0o077).toBe(0);
    expect(kept().filter((entry) => entry.isFile())).not.toEqual([]);
    expect(readdirSync(join(folder, "package")).sort()).toEqual(["bin", "dist", "package.json"]);
    expect(readdirSync(join(folder, "package/dist"))).toEqual(["fiscal.mjs"]);
    expect(await run()).toMatchObject({ code: 0, stdout: "ran" });
  });

  // Only root can give a folder to another user.
  const places = FOREIGN_PLACES.filter(([, , , owner]) => owner === 0 || process.getuid?.() === 0);

  test.each(places)("is not kept where %s", async (_where, name, mode, owner) => {
    const place = join(cache(), name);
    mkdirSync(place, { recursive: true });
    chmodSync(place, mode);
    if (owner !== 0) chownSync(place, owner, owner);
    expect(await run()).toMatchObject({ code: 0, stdout: "ran" });
    expect(readdirSync(place)).toEqual([]);
  });

  test("is not kept without a folder for it", async () => {
    writeFileSync(cache(), "a file in the way");
    expect(await run()).toMatchObject({ code: 0, stdout: "ran" });
  });
});

describe("the built program", () => {
  const BIN = join(ROOT, "bin/fiscal.js");

  test("finishes its work even if nobody reads its notes", async () => {
    const { child, ended } = start([BIN, "--data-dir", join(folder, "data"), "quickstart", "--json"]);
    child.stderr?.destroy();
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as { data: unknown[] }).data).toHaveLength(12);
  });

  const OLD_NODE = findOldNode();

  test.runIf(OLD_NODE !== undefined)(
    "quickstart succeeds on a machine with an old Node, as npx starts it",
    () => {
      const bin = join(ROOT, "node_modules/.bin");
      const env = { PATH: [bin, dirname(OLD_NODE ?? ""), "/usr/bin"].join(delimiter), HOME: folder };
      const stdout = execFileSync(join(bin, "fiscal"), ["quickstart", "--json"], {
        cwd: folder,
        env,
        encoding: "utf8",
        stdio: "pipe",
      });
      const { data } = JSON.parse(stdout) as { data: { status: string }[] };
      expect(data.filter(({ status }) => status === "issued")).toHaveLength(11);
      expect(data.filter(({ status }) => status === "rejected")).toHaveLength(1);
    },
  );
});

/** A Node on PATH older than 22, as machines often have; undefined if there is none. */
function findOldNode(): string | undefined {
  const files = (process.env["PATH"] ?? "").split(delimiter).map((path) => join(path, "node"));
  return files
    .filter((file) => existsSync(file))
    .find((file) => {
      const version = execFileSync(file, ["-p", "process.versions.node"], { encoding: "utf8" });
      return Number.parseInt(version, 10) < 22;
    });
}
