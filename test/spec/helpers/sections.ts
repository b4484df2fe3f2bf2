/** The sections of a chapter share one process, because starting one for each takes longer than its tests. */
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { describe } from "vitest";

/** Runs the tests of every file in `test/spec/<chapter>`. */
export function describeSections(chapter: string): void {
  const folder = resolve(import.meta.dirname, "..", chapter);
  for (const file of readdirSync(folder))
    describe(file, async () => {
      await import(resolve(folder, file));
    });
}
