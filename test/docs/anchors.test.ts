/** Tests that every page and anchor cited by code, tests or pages exists. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, posix, resolve, sep } from "node:path";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const CODE = "bench,bin,commands,examples,packaging,server,src,storage,test";

const filesOf = (...patterns: string[]) =>
  globSync(patterns, { cwd: ROOT, exclude: ["**/node_modules/**"] }).map((path) => path.split(sep).join("/"));

const PAGES = filesOf("docs/**/*.md", "*.md");
const SOURCES = filesOf(`{${CODE}}/**/*.{ts,js,cjs,toml}`, "*.{ts,toml}");

const texts = new Map([...PAGES, ...SOURCES].map((path) => [path, readFileSync(join(ROOT, path), "utf8")]));

/** Returns the anchors of a page's headings by GitHub's rule: lower case, no punctuation, hyphens for spaces. */
function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>();
  const withoutCode = page.replace(/^```[^]*?^```$/gm, "");
  for (const [, heading = ""] of withoutCode.matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "");
    const slug = words
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\- ]/gu, "")
      .replaceAll(" ", "-");
    let unique = slug;
    for (let count = 1; anchors.has(unique); count += 1) unique = `${slug}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

const anchors = new Map(PAGES.map((path) => [path, anchorsOf(texts.get(path)!)]));

/** Returns why `target` (`docs/contract.md#numbers`) does not exist; undefined if it does. */
function problemWith(target: string): string | undefined {
  const [path = "", anchor] = target.split("#", 2);
  if (!existsSync(join(ROOT, path))) return `no file ${path}`;
  if (anchor === undefined || anchor === "" || !path.endsWith(".md")) return undefined;
  return anchors.get(path)?.has(anchor) === true ? undefined : `no heading #${anchor} in ${path}`;
}

const cited = SOURCES.flatMap((path) =>
  [...texts.get(path)!.matchAll(/(?<![\w/.-])docs\/[\w/-]+\.md(?:#[\p{L}\p{N}_-]+)?/gu)].map(
    ([target]) => [path, target] as const,
  ),
);

test("citations in code and tests name pages and headings that exist", () => {
  expect(cited.length).toBeGreaterThan(20);
  const broken = cited.flatMap(([path, target]) => {
    const problem = problemWith(target);
    return problem === undefined ? [] : [`${path} cites ${target}: ${problem}`];
  });
  expect(broken).toEqual([]);
});

test("citations in code and tests name no document outside the repository", () => {
  const outside = /\bdecisions? \d|\bfacts\b|\bspec,|\bspec\.md\b|\.\.\/shared/;
  // Files that may not be copied: the authority's schemas, recorded samples and the published tax numbers.
  const allowed = /\.\.\/shared\/(?:mydata(?:\/(?:xsd|samples|examples)|")|providers\/afm-vectors\.json)/;
  const found = SOURCES.filter((path) => path !== "test/docs/anchors.test.ts").flatMap((path) =>
    texts
      .get(path)!
      .split("\n")
      .filter((line) => outside.test(line) && !allowed.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

test("links between pages lead to pages and headings that exist", () => {
  const broken = PAGES.flatMap((path) => {
    const page = texts.get(path)!.replace(/^```[^]*?^```$/gm, "");
    const targets = [...page.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
    return targets
      .filter((target) => !/^[a-z]+:/.test(target))
      .flatMap((target) => {
        const whole = target.startsWith("#") ? `${path}${target}` : posix.join(dirname(path), target);
        const problem = problemWith(whole);
        return problem === undefined ? [] : [`${path} links to ${target}: ${problem}`];
      });
  });
  expect(broken).toEqual([]);
});
