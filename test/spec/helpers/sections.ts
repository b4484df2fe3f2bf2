/** The sections of a chapter share one process, because starting one for each takes longer than its tests. */
import { describe } from "vitest";

/** Each section has a file of its own, with servers that are open during its tests only. */
export function describeSections(sections: Readonly<Record<string, () => Promise<unknown>>>): void {
  for (const [name, load] of Object.entries(sections))
    describe(name, async () => {
      await load();
    });
}
