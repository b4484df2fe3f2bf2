import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest begin first, so that no worker goes on alone at the end. */
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
    // Machines are shared: what takes a second alone may take many beside others.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    // Files share the modules that a worker has loaded, which is a third of the time. No module of ours keeps anything that
    // one test could leave to another; a test that changes the process puts it back.
    isolate: false,
    // One fewer than there are cores is what vitest takes: on two, tests that wait would be waited for one by one. Of
    // four, about two work at any time.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    env: { TZ: "UTC", NO_COLOR: "1" },
  },
});
