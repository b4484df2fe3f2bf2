/** Reads the words of sources: every string, and whether it is what people read in English or Greek. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";

export interface Words {
  /** The file's path from the root. */
  file: string;
  text: string;
  /** It is the value of `en` or `el`, or a part of it. */
  isText: boolean;
}

/** Every string and every piece of a template in the .ts files under `folders` of `root`. */
export function readWords(root: string, folders: readonly string[]): Words[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .flatMap((name) => wordsOf(root, join(folder, name))),
  );
}

function wordsOf(root: string, file: string): Words[] {
  const { program } = parseSync(file, readFileSync(join(root, file), "utf8"));
  const found: (Words & { at: number })[] = [];
  const texts: [start: number, end: number][] = [];
  const add = (text: string, at: number) => found.push({ file, text, isText: false, at });
  new Visitor({
    Literal(node) {
      if (typeof node.value === "string") add(node.value, node.start);
    },
    TemplateElement: (node) => add(node.value.cooked ?? "", node.start),
    Property({ key, value }) {
      if (key.type === "Identifier" && (key.name === "en" || key.name === "el"))
        texts.push([value.start, value.end]);
    },
  }).visit(program);
  return found.map(({ at, ...words }) => ({
    ...words,
    isText: texts.some(([start, end]) => start <= at && at < end),
  }));
}
