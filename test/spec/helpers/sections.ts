/** The sections of a chapter share one process, because starting one for each takes longer than its tests. */
import { readdirSync } from "node:fs";
import { join, parse } from "node:path";
import { describe } from "vitest";

/** Each file of the folder `chapter` is a section, with servers that are open during its tests only. */
export function describeChapter(chapter: string): void {
  const folder = join(import.meta.dirname, "..", chapter);
  for (const file of readdirSync(folder))
    describe(parse(file).name, async () => {
      await import(join(folder, file));
    });
}
