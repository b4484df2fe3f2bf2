import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    pool: "forks",
    // Files share the modules that a worker has loaded, which is a third of the time. No module of ours keeps anything that
    // one test could leave to another; a test that changes the process puts it back.
    isolate: false,
    // One fewer than there are cores is what vitest takes: on two, tests that wait would be waited for one by one.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    env: { TZ: "UTC", NO_COLOR: "1" },
  },
});
