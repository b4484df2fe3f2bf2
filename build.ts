/**
 * Builds `dist/`: the program as ES modules with its libraries bundled, split so that a command loads what it uses
 * (docs/decisions/0002-the-build.md), and the conformance suite and types for adapter authors (docs/adapters.md). Run by `npm ci` and
 * `npm run build`. Warnings count as errors.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { BuildOptions, Metafile } from "esbuild";
import { writeManual } from "./packaging/manual.ts";
import { bundledPackages, describePackages, writeBill, writeNotices } from "./packaging/contents.ts";

const ROOT = import.meta.dirname;
const DIST = join(ROOT, "dist");
/** Where this process builds. A failed build leaves the previous one in place. */
const NEXT = join(ROOT, "build", `dist-${process.pid}`);

type Bundler = typeof import("esbuild");

const COMMON = {
  platform: "node",
  target: "node22",
  format: "esm",
  bundle: true,
  logLevel: "warning",
  absWorkingDir: ROOT,
} as const satisfies BuildOptions;

async function build(): Promise<void> {
  const bundler = await loadBundler();
  try {
    const metafiles = await Promise.all([bundleProgram(bundler), bundleFileJobs(bundler)]);
    await Promise.all([
      bundleSuite(bundler),
      writeTypes(),
      copyFonts(),
      writeViewer(),
      writeManual(join(NEXT, "man"), version),
      describeContents(metafiles),
    ]);
    await replaceDist();
  } finally {
    await rm(NEXT, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function replaceDist(): Promise<void> {
  const previous = `${NEXT}-previous`;
  await rename(DIST, previous).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  await rename(NEXT, DIST);
  await rm(previous, { recursive: true, force: true });
}

/**
 * A running program keeps the text of its code, and one character beyond Latin-1 in a library's comment makes a file of it twice as large
 * in memory. Names stay, and lines are short enough to be found by a stack trace.
 */
const WITHOUT_COMMENTS = {
  minifySyntax: true,
  minifyWhitespace: true,
  lineLimit: 120,
} as const satisfies BuildOptions;

/** Libraries in CommonJS require Node's modules. */
const REQUIRE =
  'import { createRequire as createRequireHere } from "node:module"; const require = createRequireHere(import.meta.url);';

/** Returns what the output consists of. */
async function bundle(bundler: Bundler, options: BuildOptions): Promise<Metafile> {
  const { metafile, warnings } = await bundler.build({ ...COMMON, ...options, metafile: true });
  if (warnings.length > 0) throw new Error(`${warnings.length} warnings; see above`);
  return metafile;
}

/** Without source maps: the names and lines in a stack trace are those of `dist/`. */
function bundleProgram(bundler: Bundler): Promise<Metafile> {
  return bundle(bundler, {
    entryPoints: { fiscal: "commands/program.ts" },
    outdir: NEXT,
    outExtension: { ".js": ".mjs" },
    chunkNames: "parts/[name]-[hash]",
    splitting: true,
    inject: ["packaging/core.ts"],
    // Loads its native module from its own folder.
    external: ["better-sqlite3"],
    banner: { js: REQUIRE },
    ...WITHOUT_COMMENTS,
  });
}

const require = createRequire(import.meta.url);
const { version } = require("./package.json") as { version: string };
const FONT_FILES = ["400Regular/NotoSans_400Regular.ttf", "700Bold/NotoSans_700Bold.ttf", "LICENSE_FONT"];

async function copyFonts(): Promise<void> {
  const source = dirname(require.resolve("@expo-google-fonts/noto-sans/package.json"));
  const target = join(NEXT, "fonts");
  await mkdir(target, { recursive: true });
  await Promise.all(FONT_FILES.map((file) => copyFile(join(source, file), join(target, basename(file)))));
}

/** Copied whole into `dist/`, or loaded from beside the program. */
const NOT_BUNDLED = ["@expo-google-fonts/noto-sans", "better-sqlite3", "openapi-explorer"];

async function describeContents(metafiles: readonly Metafile[]): Promise<void> {
  const folders = [...NOT_BUNDLED.map((name) => `node_modules/${name}`), ...bundledPackages(metafiles)];
  const packages = await describePackages(ROOT, folders);
  await Promise.all([
    writeFile(join(NEXT, "THIRD-PARTY-LICENSES.txt"), writeNotices(packages)),
    writeFile(join(NEXT, "sbom.cdx.json"), writeBill(packages)),
  ]);
}

/** The thread that reads files: a program of its own, without what commands load. */
function bundleFileJobs(bundler: Bundler): Promise<Metafile> {
  return bundle(bundler, {
    entryPoints: ["src/file-jobs.ts"],
    outfile: join(NEXT, "file-jobs.mjs"),
    banner: { js: REQUIRE },
    ...WITHOUT_COMMENTS,
  });
}

const SUITE = "src/providers/adapter-test/describe.ts";

/** `fiscal/adapter-test`, separate from the program; it uses the libraries installed next to the package. */
function bundleSuite(bundler: Bundler): Promise<Metafile> {
  const outfile = join(NEXT, "adapter-test.js");
  return bundle(bundler, { entryPoints: [SUITE], outfile, packages: "external" });
}

/** The options of tsconfig.json that affect the output. `npm run types` does the checking. */
const DECLARATIONS = [
  ["--ignoreConfig", "--noCheck", "--declaration", "--emitDeclarationOnly"],
  ["--rootDir", ".", "--outDir", join(NEXT, "types")],
  ["--target", "es2024", "--lib", "es2024", "--module", "nodenext", "--types", "node"],
  ["--strict", "--rewriteRelativeImportExtensions", "--skipLibCheck"],
].flat();

async function writeTypes(): Promise<void> {
  const compiler = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");
  const args = [compiler, ...DECLARATIONS, "src/providers/contract.ts", SUITE];
  await promisify(execFile)(process.execPath, args, { cwd: ROOT });
}

/**
 * Copies the prebuilt viewer of the API reference, plain and compressed. Its name contains a hash of its content,
 * so that browsers can cache it forever.
 */
async function writeViewer(): Promise<void> {
  const script = await readFile(require.resolve("openapi-explorer/dist/browser/openapi-explorer.min.js"));
  const name = `viewer-${createHash("sha256").update(script).digest("hex").slice(0, 16)}.js`;
  const folder = join(NEXT, "pages");
  await mkdir(folder, { recursive: true });
  const packed = await promisify(gzip)(script, { level: 9 });
  await Promise.all([writeFile(join(folder, name), script), writeFile(join(folder, `${name}.gz`), packed)]);
}

async function loadBundler(): Promise<Bundler> {
  try {
    return await import("esbuild");
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    const message =
      "esbuild is not installed: NODE_ENV=production and --omit=dev leave out what builds. Run `npm ci --include=dev`; afterwards, " +
      "`npm prune --omit=dev --ignore-scripts` removes what only builds";
    throw new Error(message, { cause: error });
  }
}

/** Makes `npx fiscal` work in a clone with npm 8: npm links the programs of dependencies, but not the package's own. */
async function linkExecutable(): Promise<void> {
  // On Windows npm creates a script instead of a link; in a clone, run `node bin/fiscal.js`.
  if (process.platform === "win32") return;
  const link = join(ROOT, "node_modules", ".bin", "fiscal");
  await mkdir(dirname(link), { recursive: true });
  await rm(link, { force: true });
  await symlink(join("..", "..", "bin", "fiscal.js"), link);
}

build()
  .then(linkExecutable)
  .catch((error: unknown) => {
    process.stderr.write(`The build failed: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
