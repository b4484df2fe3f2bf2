/**
 * Writes the parts of the program as bin/parts.js loads them: each a function, which runs when it is first required. The parts that
 * many commands share are together in two files, because each file takes time to read (docs/decisions/0002).
 */
import { basename } from "node:path";

/** An output of esbuild, by its path as in the metafile. */
interface Output {
  readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
  readonly entryPoint?: string | undefined;
}

export interface Part {
  /** Its file's name. */
  readonly name: string;
  /** CommonJS. */
  readonly code: string;
  /** Its source map, as JSON. */
  readonly map: string;
}

/** The packs, each with the least number of commands and lazy modules that load its parts. A part goes into the first that fits. */
const PACKS = [
  { name: "core.cjs", entriesMin: 32 },
  { name: "shared.cjs", entriesMin: 12 },
] as const;

/** The pack of each shared part, by the name of the part's file. Modules that are loaded by name keep a file of their own. */
export function choosePacks(outputs: Readonly<Record<string, Output>>): Map<string, string> {
  const loads = new Map<string, number>();
  for (const [path, { entryPoint }] of Object.entries(outputs)) {
    if (entryPoint === undefined) continue;
    for (const part of closureOf(outputs, path)) loads.set(part, (loads.get(part) ?? 0) + 1);
  }
  const packs = new Map<string, string>();
  for (const [path, count] of loads) {
    const pack = PACKS.find(({ entriesMin }) => count >= entriesMin);
    if (pack !== undefined && outputs[path]?.entryPoint === undefined) packs.set(basename(path), pack.name);
  }
  return packs;
}

/** The outputs that loading `path` loads at once, itself included. */
function closureOf(outputs: Readonly<Record<string, Output>>, path: string): Set<string> {
  const found = new Set([path]);
  for (const part of found)
    for (const { path: next, kind, external } of outputs[part]?.imports ?? [])
      if (kind === "import-statement" && external !== true) found.add(next);
  return found;
}

/** How the parts require each other, as esbuild writes it. */
const REQUIRE = /\brequire\("\.\/(?:parts\/)?([^"/]+\.cjs)"\)/g;

/** The code with `require` as bin/parts.js expects it: from no folder, and with the file if the part is in a pack. */
function requireParts(code: string, packs: ReadonlyMap<string, string>): string {
  return code.replace(REQUIRE, (_call, name: string) => {
    const pack = packs.get(name);
    return pack === undefined ? `require("./${name}")` : `require("./${name}", "${pack}")`;
  });
}

const COPYING = '__toCommonJS=mod=>__copyProps(__defProp({},"__esModule",{value:!0}),mod)';
const MARKING = '__toCommonJS=mod=>__defProp(mod,"__esModule",{value:!0})';

/** esbuild copies the exports of each part to another object, property by property. Here the parts share one object. */
export function withoutCopies(code: string): string {
  const changed = code.replace(COPYING, MARKING);
  if (changed === code && code.includes("__toCommonJS="))
    throw new Error("esbuild exports what a part has in another way than expected");
  return changed;
}

/**
 * One file with all `parts`, and its source map: an expression that is an object with their functions (bin/parts.js), after `head`.
 */
export function joinParts(
  file: string,
  parts: readonly Part[],
  packs: ReadonlyMap<string, string>,
  head: string,
): { code: string; map: string } {
  let code = `${head}\n({\n`;
  const sections: { offset: { line: number; column: number }; map: unknown }[] = [];
  for (const { name, code: body, map } of parts) {
    code += `${JSON.stringify(name)}: function (exports, require, module, __filename, __dirname) {\n`;
    sections.push({ offset: { line: code.split("\n").length - 1, column: 0 }, map: JSON.parse(map) });
    code += `${requireParts(body, packs)}\n},\n`;
  }
  return { code: `${code}})\n`, map: JSON.stringify({ version: 3, file, sections }) };
}
