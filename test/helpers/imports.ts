/** Reads imports from the syntax tree: static, dynamic, re-exported and type-only. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { parseSync, Visitor } from "oxc-parser";

export interface Import {
  /** The importing file's path from the root, with slashes. */
  from: string;
  /** The path from the root of one of our files; otherwise as written: `node:fs`, `kysely/migration`. */
  to: string;
  /** Removed when types are stripped. `import { type A }` is not: the module is still loaded. */
  isTypeOnly: boolean;
}

/** Every import in the .ts files under `folders` of `root`. Throws if one cannot be determined statically. */
export function readImports(root: string, folders: readonly string[]): Import[] {
  return folders.flatMap((folder) => sourceFiles(root, folder)).flatMap((file) => importsOf(root, file));
}

function sourceFiles(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .filter(({ parentPath }) => !parentPath.includes("node_modules"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"));
}

function importsOf(root: string, file: string): Import[] {
  const { program, errors } = parseSync(file, readFileSync(join(root, file), "utf8"));
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const found: Import[] = [];
  const add = (specifier: string, isTypeOnly: boolean) =>
    found.push({ from: file, to: resolveImport(root, file, specifier), isTypeOnly });
  new Visitor({
    ImportDeclaration: (node) => add(node.source.value, node.importKind === "type"),
    ExportAllDeclaration: (node) => add(node.source.value, node.exportKind === "type"),
    ExportNamedDeclaration(node) {
      if (node.source !== null) add(node.source.value, node.exportKind === "type");
    },
    TSImportType: (node) => add(node.source.value, true),
    ImportExpression({ source }) {
      if (source.type !== "Literal" || typeof source.value !== "string") {
        throw new Error(`${file} has a dynamic import whose path is not a literal`);
      }
      add(source.value, false);
    },
  }).visit(program);
  return found;
}

function resolveImport(root: string, file: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier;
  const path = posix.join(dirname(file), specifier);
  const isThere = statSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true;
  if (!isThere) throw new Error(`${file} imports ${specifier}, which is not there`);
  return path;
}

/** One import cycle for each group of our files that has any: `a.ts > b.ts > a.ts`. */
export function findCycles(imports: readonly Import[]): string[] {
  const next = Map.groupBy(imports, (found) => found.from);
  const finished = new Set<string>();
  const path: string[] = [];
  const cycles: string[] = [];
  const visit = (file: string): void => {
    const start = path.indexOf(file);
    if (start !== -1) cycles.push([...path.slice(start), file].join(" > "));
    if (start !== -1 || finished.has(file)) return;
    path.push(file);
    for (const { to } of next.get(file) ?? []) visit(to);
    path.pop();
    finished.add(file);
  };
  for (const file of next.keys()) visit(file);
  return cycles;
}

/** Everything that loading `file` loads, directly or indirectly, as chains of imports: `a.ts > b.ts > node:fs`. */
export function loadedBy(imports: readonly Import[], file: string): Map<string, string> {
  const chains = new Map([[file, file]]);
  for (const [reached, chain] of chains) {
    for (const { from, to, isTypeOnly } of imports) {
      if (from === reached && !isTypeOnly && !chains.has(to)) chains.set(to, `${chain} > ${to}`);
    }
  }
  chains.delete(file);
  return chains;
}
