/**
 * `npm run executable`: one file with Node, the built program and the native part of its database, for a machine without
 * Node (docs/executable.md). Also for another platform, with that platform's Node:
 * `npm run executable -- --target win32-x64 --node node.exe --output fiscal.exe`.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs, promisify } from "node:util";
import { nativePart, programFiles, TARGETS } from "../program-files.ts";
import { packFiles } from "./archive.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const MAIN = join(import.meta.dirname, "main.cjs");
const INJECTOR = createRequire(import.meta.url).resolve("postject/dist/cli.js");

/** How Node recognises its own blob: documentation of "Single executable applications", version 24. */
const BLOB = "NODE_SEA_BLOB";
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

interface Wanted {
  readonly target: string;
  /** Of the same version as the Node that builds. */
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
    throw new Error(`${target} is no target; --target takes one of ${TARGETS.join(", ")}`);
  if (node === undefined) throw new Error(`for ${target}, --node names the file of that platform's Node`);
  const name = target.startsWith("win32") ? "fiscal.exe" : "fiscal";
  return { target, node, output: resolve(values.output ?? join(ROOT, "build", target, name)) };
}

/** The assets: the archive, and what `main.cjs` is told of it. */
async function writeAssets(folder: string, target: string): Promise<Record<string, string>> {
  const native = nativePart(target);
  const { bytes, id } = packFiles(await programFiles(ROOT, target));
  const sha256 = createHash("sha256")
    .update(await readFile(join(ROOT, native)))
    .digest("hex");
  const assets = { archive: join(folder, "archive"), build: join(folder, "build.json") };
  await writeFile(assets.archive, bytes);
  await writeFile(assets.build, JSON.stringify({ id, native: { file: native, sha256 } }));
  return assets;
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

/** Node with `args`. Its warnings are shown when it fails: postject finds the signature of Node 24 not to its liking. */
async function run(...args: string[]): Promise<void> {
  await promisify(execFile)(process.execPath, args);
}

async function main(): Promise<void> {
  await buildExecutable(readWanted());
}

main().catch((error: unknown) => {
  process.stderr.write(
    `The executable was not built: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
});
