import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    pool: "forks",
    // One fewer than there are cores is what vitest takes: on two, tests that wait would be waited for one by one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    env: { TZ: "UTC", NO_COLOR: "1" },
  },
});
