/**
 * Builds `dist/`: the program in CommonJS with its libraries bundled, split so that a start loads only what it uses
 * (docs/decisions/0002), and the conformance suite and types for adapter authors (docs/adapters.md). Run by `npm ci`
 * and `npm run build`. Warnings count as errors.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { BuildOptions, Metafile, OutputFile, Plugin } from "esbuild";
import { bundledPackages, writeNotices } from "./packaging/licences.ts";
import { choosePacks, joinParts, type Part, withoutCopies } from "./packaging/packs.ts";

const DIST = join(import.meta.dirname, "dist");
const ENTRY = join(DIST, "fiscal.cjs");
const PARTS = join(DIST, "parts");

/** Of listhen (docs/decisions/0013), and what pg loads only on Cloudflare. */
const LEFT_OUT = Object.fromEntries(
  ["untun", "tinyclip", "crossws/adapters/node", "jiti", "@parcel/watcher-wasm", "pg-cloudflare"].map(
    (name) => [name, join(import.meta.dirname, "packaging", "left-out.ts")],
  ),
);

type Bundler = typeof import("esbuild");

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
  // Before deleting, so that a failed bundle leaves the previous build in place.
  const { files, metafile } = await bundle(bundler);
  // Includes the compiled code that commands have kept.
  await rm(DIST, { recursive: true, force: true });
  await writeProgram(bundler, files, choosePacks(metafile.outputs));
  await Promise.all([
    bundleSuite(bundler),
    writeTypes(),
    copyFonts(),
    writeViewer(),
    writeLicences(metafile),
  ]);
}

const require = createRequire(import.meta.url);
/** The font of the PDFs, and its licence. */
const FONT_FILES = ["400Regular/NotoSans_400Regular.ttf", "700Bold/NotoSans_700Bold.ttf", "LICENSE_FONT"];

async function copyFonts(): Promise<void> {
  const source = dirname(require.resolve("@expo-google-fonts/noto-sans/package.json"));
  const target = join(DIST, "fonts");
  await mkdir(target, { recursive: true });
  await Promise.all(FONT_FILES.map((file) => copyFile(join(source, file), join(target, basename(file)))));
}

/** Replaces a text in the file of a library that `filter` finds. */
function replaceIn(name: string, filter: RegExp, from: string, to: string): Plugin {
  return {
    name,
    setup(bundling) {
      bundling.onLoad({ filter }, async ({ path }) => {
        const text = await readFile(path, "utf8");
        const contents = text.replaceAll(from, to);
        if (contents === text) throw new Error(`${name}: ${path} has no ${from}`);
        return { contents };
      });
    },
  };
}

/** commander loads node:child_process, and with it networking, for commands in files of their own. There are none. */
const WITHOUT_PROCESSES = replaceIn(
  "commander without processes",
  /commander[/\\]lib[/\\]command\.js$/,
  "import childProcess from 'node:child_process';",
  "const childProcess = {};",
);

/** better-sqlite3's native module stays in its folder. */
const BINARY_OUTSIDE = replaceIn(
  "better-sqlite3 without its binary",
  /better-sqlite3[/\\]lib[/\\]binding\.js$/,
  "path.join(__dirname, '..',",
  "path.join(require('../../../packaging/database-folder.cjs').databaseFolder,",
);

/** Bundles to ES modules, the only format that esbuild splits. Code shared by the same nouns ends up in one part. */
async function bundle(bundler: Bundler): Promise<{ files: OutputFile[]; metafile: Metafile }> {
  const { outputFiles, metafile, warnings } = await bundler.build({
    ...COMMON,
    absWorkingDir: import.meta.dirname,
    entryPoints: { fiscal: "commands/program.ts" },
    outdir: DIST,
    outExtension: { ".js": ".cjs" },
    chunkNames: `${basename(PARTS)}/[name]-[hash]`,
    bundle: true,
    splitting: true,
    format: "esm",
    // The CommonJS builds: the ES module builds locate files with `import.meta`, which the parts do not have.
    alias: { pdfkit: require.resolve("pdfkit"), listhen: require.resolve("listhen"), ...LEFT_OUT },
    plugins: [WITHOUT_PROCESSES, BINARY_OUTSIDE],
    // Used to find files next to the parts (src/paper/fonts.ts).
    // std-env reads `import.meta.env` where there is no process.
    define: { "import.meta.dirname": "__dirname", "import.meta.env": "undefined" },
    sourcemap: "inline",
    legalComments: "inline",
    metafile: true,
    write: false,
  });
  if (warnings.length > 0) throw new Error(`the bundle has ${warnings.length} warnings; see above`);
  return { files: outputFiles, metafile };
}

/** The viewer's bundle contains its own licences. */
const BUNDLED_WHOLE = "node_modules/@scalar/api-reference";

async function writeLicences(metafile: Metafile): Promise<void> {
  const folders = [BUNDLED_WHOLE, ...bundledPackages(metafile)];
  await writeFile(
    join(DIST, "THIRD-PARTY-LICENSES.txt"),
    await writeNotices(import.meta.dirname, folders.sort()),
  );
}

/** Writes the parts, those of a pack together. The entry's first line names the build. */
async function writeProgram(
  bundler: Bundler,
  files: readonly OutputFile[],
  packs: ReadonlyMap<string, string>,
): Promise<void> {
  const contents = new Map<string, Part[]>();
  for (const { path, text } of files) {
    const part = await toCommonJs(bundler, basename(path), text);
    const file = packs.get(part.name) ?? part.name;
    contents.set(file, [...(contents.get(file) ?? []), part]);
  }
  const hash = createHash("sha256");
  for (const parts of contents.values()) for (const { name, code } of parts) hash.update(name).update(code);
  const id = hash.digest("hex").slice(0, 16);
  await mkdir(PARTS, { recursive: true });
  const packNames = new Set(packs.values());
  for (const [name, parts] of contents) {
    const isEntry = name === basename(ENTRY);
    // Packs are code of modules, which is strict. Other parts also have libraries that are not.
    const head = isEntry ? `// ${id}` : packNames.has(name) ? '"use strict";' : "";
    const { code, map } = joinParts(name, parts, packs, head);
    const path = isEntry ? ENTRY : join(PARTS, name);
    await writeFile(path, `${code}//# sourceMappingURL=${name}.map\n`);
    await writeFile(`${path}.map`, map);
  }
}

/** Without `import()`, which would load Node's ES module loader in addition to the CommonJS one. */
async function toCommonJs(bundler: Bundler, name: string, text: string): Promise<Part> {
  const { code, map, warnings } = await bundler.transform(text, {
    ...COMMON,
    format: "cjs",
    // fontkit 2.0 has one. esbuild ignores it in libraries, but reports it again here.
    logOverride: { "duplicate-object-key": "silent" },
    supported: { "dynamic-import": false },
    sourcefile: name,
    sourcemap: "external",
  });
  if (warnings.length > 0) throw new Error(`${name} has ${warnings.length} warnings; see above`);
  return { name, code: withoutCopies(code), map };
}

const SUITE = "src/providers/adapter-test/describe.ts";

/** `fiscal/adapter-test`, separate from the program; it uses the libraries installed next to the package. */
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
  if (warnings.length > 0) throw new Error(`the suite has ${warnings.length} warnings; see above`);
}

/** The options of tsconfig.json that affect the output. `npm run types` does the checking. */
const DECLARATIONS = [
  ["--ignoreConfig", "--noCheck", "--declaration", "--emitDeclarationOnly"],
  ["--rootDir", ".", "--outDir", join(DIST, "types")],
  ["--target", "es2024", "--lib", "es2024", "--module", "nodenext", "--types", "node"],
  ["--strict", "--rewriteRelativeImportExtensions", "--skipLibCheck"],
].flat();

/** Writes the types of the package's exports and everything they use. */
async function writeTypes(): Promise<void> {
  const compiler = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");
  const args = [compiler, ...DECLARATIONS, "src/providers/contract.ts", SUITE];
  await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname });
}

/**
 * Copies the prebuilt viewer of the API reference, plain and compressed. Its name contains a hash of its content,
 * so that browsers can cache it forever.
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
 * Loads esbuild; undefined if it is not installed but a build exists, as after `npm ci --omit=dev` in a folder that was built
 * before. Throws if there is no build, or under `npm pack`, where the build may be older than its sources.
 */
async function loadBundler(): Promise<Bundler | undefined> {
  try {
    return await import("esbuild");
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    // A package must be built from the current sources.
    if (existsSync(ENTRY) && !isPacked()) return undefined;
    const message =
      "esbuild is not installed, so dist/ cannot be built; run `npm ci`, then `npm prune --omit=dev`";
    throw new Error(message, { cause: error });
  }
}

function isPacked(): boolean {
  return ["pack", "publish"].includes(process.env["npm_command"] ?? "");
}

/** Makes `npx fiscal` work in a clone: npm links the executables of dependencies, but not the package's own. */
async function linkExecutable(): Promise<void> {
  // On Windows npm creates a script instead of a link; in a clone, run `node bin/fiscal.js`.
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
