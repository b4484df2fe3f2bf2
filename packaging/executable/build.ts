/**
 * Builds one file with Node, the program and better-sqlite3's native module, for machines without Node
 * (docs/executable.md): `npm run executable`. For another platform, give that platform's Node:
 * `npm run executable -- --target win32-x64 --node node.exe --output fiscal.exe`.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs, promisify } from "node:util";
import { nativePart, programFiles, TARGETS } from "./program-files.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const MAIN = join(import.meta.dirname, "main.cjs");
const INJECTOR = createRequire(import.meta.url).resolve("postject/dist/cli.js");

/** How Node recognises the blob (Node 24 documentation, "Single executable applications"). */
const BLOB = "NODE_SEA_BLOB";
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

interface Wanted {
  readonly target: string;
  /** The file of a Node with the same version as the one that builds. */
  readonly node: string;
  readonly output: string;
}

function readWanted(): Wanted {
  const here = `${process.platform}-${process.arch}`;
  const { values } = parseArgs({
    options: { target: { type: "string" }, node: { type: "string" }, output: { type: "string" } },
  });
  const { target = here, node = target === here ? process.execPath : undefined } = values;
  if (!TARGETS.some((known) => known === target))
    throw new Error(`${target} is not a target; --target must be one of ${TARGETS.join(", ")}`);
  if (node === undefined) throw new Error(`for ${target}, --node must name that platform's Node`);
  const name = target.startsWith("win32") ? "fiscal.exe" : "fiscal";
  return { target, node, output: resolve(values.output ?? join(ROOT, "build", target, name)) };
}

/** The assets: each file of the program under its path, and a description of them for `main.cjs`. */
async function writeAssets(folder: string, target: string): Promise<Record<string, string>> {
  const build = createHash("sha256");
  const files: Record<string, string> = {};
  for (const { path, content } of await programFiles(ROOT, target)) {
    const sha256 = createHash("sha256").update(content).digest("hex");
    build.update(`${path} ${sha256}\n`);
    files[path] = sha256;
  }
  const description = join(folder, "build.json");
  await writeFile(
    description,
    JSON.stringify({ id: build.digest("hex"), native: nativePart(target), files }),
  );
  const assets = Object.keys(files).map((path) => [path, join(ROOT, path)] as const);
  return { ...Object.fromEntries(assets), build: description };
}

async function buildExecutable({ target, node, output }: Wanted): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "fiscal-executable-"));
  try {
    const assets = await writeAssets(folder, target);
    const config = join(folder, "sea.json");
    const blob = join(folder, "blob");
    await writeFile(
      config,
      JSON.stringify({ main: MAIN, output: blob, disableExperimentalSEAWarning: true, assets }),
    );
    await run("--experimental-sea-config", config);
    await mkdir(dirname(output), { recursive: true });
    await rm(output, { force: true });
    await copyFile(node, output);
    await chmod(output, 0o755);
    const macho = target.startsWith("darwin") ? ["--macho-segment-name", "NODE_SEA"] : [];
    await run(INJECTOR, output, BLOB, blob, "--sentinel-fuse", FUSE, ...macho);
    process.stdout.write(`${output}\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs Node with `args`. Its output is shown only on failure, because postject warns about the signature of Node 24. */
async function run(...args: string[]): Promise<void> {
  await promisify(execFile)(process.execPath, args);
}

try {
  await buildExecutable(readWanted());
} catch (error) {
  process.stderr.write(
    `Cannot build the executable: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
}
