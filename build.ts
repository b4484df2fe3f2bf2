/**
 * Builds `dist/fiscal.cjs`: the whole program in one CommonJS file, which starts fastest (docs/decisions/0002). Run by
 * `npm ci` and `npm run build`. Throws when anything at all is wrong with the bundle, warnings included.
 */
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";

const DIST = join(import.meta.dirname, "dist");
const BUNDLE = join(DIST, "fiscal.cjs");

/** Loaded from node_modules as they are: better-sqlite3 looks for its binary beside its own files, listhen for its parts. */
const EXTERNAL = ["better-sqlite3", "listhen"];

async function build(): Promise<void> {
  const esbuild = await loadBundler();
  if (esbuild === undefined) return;
  // What an earlier build or Node's compile cache left is of no use to the new bundle.
  await rm(DIST, { recursive: true, force: true });
  const { warnings } = await esbuild.build({
    absWorkingDir: import.meta.dirname,
    entryPoints: ["commands/program.ts"],
    outfile: BUNDLE,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node22",
    external: EXTERNAL,
    sourcemap: "linked",
    sourcesContent: false,
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "external",
    logLevel: "warning",
  });
  if (warnings.length > 0) throw new Error(`The bundle has ${warnings.length} warnings; see above`);
}

/**
 * esbuild; undefined where it is not installed and a finished bundle is: `npm ci --omit=dev` in a folder that was built
 * before. Without either there is nothing to run, so it throws.
 */
async function loadBundler(): Promise<typeof import("esbuild") | undefined> {
  try {
    return await import("esbuild");
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    if (existsSync(BUNDLE)) return undefined;
    const message = "dist/ is not built, and without the development dependencies it cannot be: run `npm ci` first, then `npm prune --omit=dev`";
    throw new Error(message, { cause: error });
  }
}

build().catch((error: unknown) => {
  process.stderr.write(`The build failed: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
