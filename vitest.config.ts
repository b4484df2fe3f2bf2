import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Starts the slowest files first, so that no worker is left running alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => moduleId.includes("/test/acceptance/");
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Only to end what hangs: shared machines can be many times slower. Tests set no shorter limits.
    testTimeout: 300_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    pool: "forks",
    // Files share the modules that a worker has loaded, which saves a third of the time. No module keeps state that
    // could leak from one test to another; a test that changes the process restores it.
    isolate: false,
    // vitest's default is one less than the number of cores. Many tests mostly wait, so four workers keep about two
    // cores busy.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    env: { TZ: "UTC", NO_COLOR: "1" },
  },
});
