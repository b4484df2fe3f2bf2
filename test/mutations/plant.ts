/** Finds the place of a defect in the sources, and plants it there. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

const SOURCES = ["commands", "server", "src", "storage"];

export interface Defect {
  what: string;
  /** Where it was when the list was made; if the text has moved, it is searched for in all sources. */
  file: string;
  /** Occurs once. White space makes no difference. */
  text: string;
  replacement: string;
  /** Below `test/`, without the ending. */
  caughtBy: readonly string[];
}

/** The defects of test/mutations.md, in their order. */
export function readDefects(): Defect[] {
  const page = readFileSync(join(import.meta.dirname, "../mutations.md"), "utf8");
  const form = /^\d+ (.+)\n(\S+): (.+)\n- (.+)\n\+ (.*)$/gm;
  return [...page.matchAll(form)].map(
    ([, what = "", file = "", caughtBy = "", text = "", replacement = ""]) => ({
      what,
      file,
      text,
      replacement,
      caughtBy: caughtBy.split(" "),
    }),
  );
}

export interface Place {
  /** From the root of the tree. */
  file: string;
  /** The whole file with the defect. */
  planted: string;
}

/** Throws if the text of the defect does not occur exactly once, or a test that catches it is gone. */
export function findPlace(tree: string, defect: Defect): Place {
  for (const test of defect.caughtBy)
    if (!existsSync(join(tree, pathOfTest(test))))
      throw new Error(`${pathOfTest(test)}, which catches "${defect.what}", is gone`);
  const isFound = (file: string) => plantIn(tree, file, defect).length > 0;
  const sources = filesOf(tree);
  const named = sources.filter((file) => file === defect.file);
  const moved = sources.filter((file) => basename(file) === basename(defect.file));
  const files = [named, moved, sources].find((some) => some.some(isFound)) ?? [];
  const places = files.flatMap((file) => plantIn(tree, file, defect));
  const [place] = places;
  if (place !== undefined && places.length === 1) return place;
  throw new Error(
    `The text of "${defect.what}" occurs ${places.length} times; name another text for it in test/mutations.md`,
  );
}

export function pathOfTest(name: string): string {
  return `test/${name}.test.ts`;
}

export function listTracked(tree: string, folders: readonly string[] = []): string[] {
  const listed = execFileSync("git", ["ls-files", "-z", "--", ...folders], { cwd: tree, encoding: "utf8" });
  return listed.split("\0").filter((path) => path !== "" && existsSync(join(tree, path)));
}

const filesByTree = new Map<string, string[]>();

function filesOf(tree: string): string[] {
  const files = filesByTree.get(tree) ?? listTracked(tree, SOURCES);
  filesByTree.set(tree, files);
  return files;
}

/** One place for each occurrence. */
function plantIn(tree: string, file: string, { text, replacement }: Defect): Place[] {
  const source = readFileSync(join(tree, file), "utf8");
  return [...source.matchAll(patternOf(text))].map(({ 0: found, index }) => ({
    file,
    planted: source.slice(0, index) + replacement + source.slice(index + found.length),
  }));
}

/** Allows any white space between words and signs, because a formatter may break a line anywhere. */
function patternOf(text: string): RegExp {
  const parts = text.match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu) ?? [];
  return new RegExp(parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&")).join("\\s*"), "gu");
}
