/**
 * Builds `dist/`: the program in CommonJS, its libraries bundled in, cut so that a start reads only what it uses
 * (docs/decisions/0002); and for authors of adapters the conformance suite and the types (docs/adapters.md). Run by `npm ci`
 * and `npm run build`. Fails when anything is wrong, warnings included.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { BuildOptions, Metafile, OutputFile } from "esbuild";
import { bundledPackages, writeNotices } from "./packaging/licences.ts";

const DIST = join(import.meta.dirname, "dist");
const ENTRY = join(DIST, "fiscal.cjs");

type Bundler = typeof import("esbuild");

/** Packages that stay in node_modules: better-sqlite3 loads a binary from its own folder. */
const EXTERNAL = ["better-sqlite3"];

const COMMON = {
  platform: "node",
  target: "node22",
  minifySyntax: true,
  minifyWhitespace: true,
  sourcesContent: false,
  logLevel: "warning",
} as const satisfies BuildOptions;

async function build(): Promise<void> {
  const bundler = await loadBundler();
  if (bundler === undefined) return;
  // First, so that sources that cannot be bundled leave the build before in place.
  const { files, metafile } = await bundle(bundler);
  // Also what Node's compile cache kept of it.
  await rm(DIST, { recursive: true, force: true });
  for (const file of files) await writeCommonJs(bundler, file);
  await Promise.all([
    bundleSuite(bundler),
    writeTypes(),
    copyFonts(),
    writeViewer(),
    writeLicences(metafile),
  ]);
}

const require = createRequire(import.meta.url);
/** The font of the paper form, and the licence that it is passed on under. */
const FONT_FILES = ["400Regular/NotoSans_400Regular.ttf", "700Bold/NotoSans_700Bold.ttf", "LICENSE_FONT"];

async function copyFonts(): Promise<void> {
  const source = dirname(require.resolve("@expo-google-fonts/noto-sans/package.json"));
  const target = join(DIST, "fonts");
  await mkdir(target, { recursive: true });
  await Promise.all(FONT_FILES.map((file) => copyFile(join(source, file), join(target, basename(file)))));
}

/** In ES modules, since esbuild cuts only those into parts. One part holds what the same set of nouns needs. */
async function bundle(bundler: Bundler): Promise<{ files: OutputFile[]; metafile: Metafile }> {
  const { outputFiles, metafile, warnings } = await bundler.build({
    ...COMMON,
    absWorkingDir: import.meta.dirname,
    entryPoints: { fiscal: "commands/program.ts" },
    outdir: DIST,
    outExtension: { ".js": ".cjs" },
    chunkNames: "parts/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    external: EXTERNAL,
    // Its CommonJS form: that for ES modules looks for itself by `import.meta`, which the parts do not have.
    alias: { pdfkit: require.resolve("pdfkit") },
    // Where a file that lies beside the parts is looked for (src/paper/fonts.ts).
    define: { "import.meta.dirname": "__dirname" },
    sourcemap: "inline",
    legalComments: "inline",
    metafile: true,
    write: false,
  });
  if (warnings.length > 0) throw new Error(`the bundle has ${warnings.length} warnings; they stand above`);
  return { files: outputFiles, metafile };
}

/** The viewer's own licences stand in it, as its makers bundled them. */
const BUNDLED_WHOLE = "node_modules/@scalar/api-reference";

async function writeLicences(metafile: Metafile): Promise<void> {
  const folders = [BUNDLED_WHOLE, ...bundledPackages(metafile)];
  await writeFile(
    join(DIST, "THIRD-PARTY-LICENSES.txt"),
    await writeNotices(import.meta.dirname, folders.sort()),
  );
}

/** Without `import()`, which in CommonJS would load Node's module loader beside its own. */
async function writeCommonJs(bundler: Bundler, { path, text }: OutputFile): Promise<void> {
  const { code, map, warnings } = await bundler.transform(text, {
    ...COMMON,
    format: "cjs",
    // fontkit 2.0 has one, which the bundler passes over in libraries and finds again in the part.
    logOverride: { "duplicate-object-key": "silent" },
    supported: { "dynamic-import": false },
    sourcefile: basename(path),
    sourcemap: "external",
  });
  if (warnings.length > 0)
    throw new Error(`${basename(path)} has ${warnings.length} warnings; they stand above`);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${code}//# sourceMappingURL=${basename(path)}.map\n`);
  await writeFile(`${path}.map`, map);
}

const SUITE = "src/providers/adapter-test/describe.ts";

/** `fiscal/adapter-test`, apart from the program: its libraries are those beside the package that it stands in. */
async function bundleSuite(bundler: Bundler): Promise<void> {
  const { warnings } = await bundler.build({
    platform: "node",
    target: "node22",
    logLevel: "warning",
    absWorkingDir: import.meta.dirname,
    entryPoints: [SUITE],
    outfile: join(DIST, "adapter-test.js"),
    bundle: true,
    format: "esm",
    packages: "external",
  });
  if (warnings.length > 0) throw new Error(`the suite has ${warnings.length} warnings; they stand above`);
}

/** As in tsconfig.json, as far as it matters for what is written; checked is the whole there. */
const DECLARATIONS = [
  ["--ignoreConfig", "--noCheck", "--declaration", "--emitDeclarationOnly"],
  ["--rootDir", ".", "--outDir", join(DIST, "types")],
  ["--target", "es2024", "--lib", "es2024", "--module", "nodenext", "--types", "node"],
  ["--strict", "--rewriteRelativeImportExtensions", "--skipLibCheck"],
].flat();

/** The types of what the package exports, with all that they are made of. */
async function writeTypes(): Promise<void> {
  const compiler = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");
  const args = [compiler, ...DECLARATIONS, "src/providers/contract.ts", SUITE];
  await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname });
}

/**
 * The viewer of the API reference, one file as its makers built it, and packed beside it. The name changes with what is in it,
 * so that browsers keep it for good.
 */
async function writeViewer(): Promise<void> {
  const style = require.resolve("@scalar/api-reference/style.css");
  const script = await readFile(join(dirname(style), "browser", "standalone.js"));
  const name = `viewer-${createHash("sha256").update(script).digest("hex").slice(0, 16)}.js`;
  const folder = join(DIST, "pages");
  await mkdir(folder, { recursive: true });
  const packed = await promisify(gzip)(script, { level: 9 });
  await Promise.all([writeFile(join(folder, name), script), writeFile(join(folder, `${name}.gz`), packed)]);
}

/**
 * esbuild; undefined where it is not installed but a finished build is: `npm ci --omit=dev` in a folder that was built
 * before. Without either there is nothing to run, and behind `npm pack` the build may be older than its sources: then it throws.
 */
async function loadBundler(): Promise<Bundler | undefined> {
  try {
    return await import("esbuild");
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    // What is packed is made of these very sources.
    if (existsSync(ENTRY) && !isPacked()) return undefined;
    const message =
      "esbuild is not installed, so that dist/ cannot be built; run `npm ci`, and `npm prune --omit=dev` behind it";
    throw new Error(message, { cause: error });
  }
}

function isPacked(): boolean {
  return ["pack", "publish"].includes(process.env["npm_command"] ?? "");
}

/** So that `npx fiscal` finds the program in a clone: npm links the executables of dependencies, not the package's own. */
async function linkExecutable(): Promise<void> {
  // There npm makes a script in place of a link; in a clone on Windows it is `node bin/fiscal.js`.
  if (process.platform === "win32") return;
  const link = join(import.meta.dirname, "node_modules", ".bin", "fiscal");
  await mkdir(dirname(link), { recursive: true });
  await rm(link, { force: true });
  await symlink(join("..", "..", "bin", "fiscal.js"), link);
}

async function prepare(): Promise<void> {
  await build();
  await linkExecutable();
}

prepare().catch((error: unknown) => {
  process.stderr.write(`The build failed: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
