/** Texts use the terms of docs/guide/terms.md, and none of the words that the page rules out. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const PAGE = "docs/guide/terms.md";

/** The words of the second and the fourth column. */
function ruledOut(): string[] {
  const rows = readFileSync(join(ROOT, PAGE), "utf8").matchAll(
    /^\| [^|]+ \| ([^|]+) \| [^|]+ \| ([^|]+) \|$/gm,
  );
  return [...rows].slice(1).flatMap(([, greek = "", english = ""]) => `${greek}, ${english}`.split(", "));
}

test("no text uses a word that the list of terms rules out", () => {
  const words = ruledOut();
  expect(words.length).toBeGreaterThan(40);
  const pattern = new RegExp(`(?<!\\p{L})(?:${words.join("|")})(?!\\p{L})`, "giu");
  const files = globSync(["{src,commands,server,storage}/**/*.ts", "docs/guide/**/*.md"], { cwd: ROOT });
  const found = files
    .filter((file) => file !== PAGE)
    .flatMap((file) =>
      [...readFileSync(join(ROOT, file), "utf8").matchAll(pattern)].map(([word]) => `${file}: ${word}`),
    );
  expect(found).toEqual([]);
});
