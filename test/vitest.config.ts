import { readFileSync, statfsSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest, longest first, by a run on two cores. */
const LONGEST = [
  "simulation/simulation",
  "acceptance/windows",
  "acceptance/console-issuing",
  "acceptance/backup",
  "acceptance/full-disk",
  "acceptance/pages",
  "acceptance/kill",
  "acceptance/console",
  "acceptance/console-upload",
  "acceptance/two-servers",
  "acceptance/canaries",
  "acceptance/console-mail",
  "books/reports",
  "commands/backup",
  "acceptance/pack",
  "commands/examples",
  "machines/machines",
  "acceptance/rotate-master",
  "acceptance/fuzz",
  "packaging/executable",
  "acceptance/door",
  "server/list-walks",
  "webhooks/retrying",
  "paper/render-pdf",
  "commands/doctor",
];

/** Starts the longest files first, so that no worker is left running alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return rank === -1 ? LONGEST.length : rank;
    };
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

const MEMORY = "/dev/shm";
const ROOM_BYTES = 4 * 2 ** 30;

/**
 * Where tests keep their files: in memory if there is room and programs can be run from there, because databases on a disk
 * spend most of a test waiting for it. A killed process loses nothing in either place.
 */
function temporaryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    const mount = readFileSync("/proc/mounts", "utf8")
      .split("\n")
      .find((line) => line.split(" ")[1] === MEMORY);
    const isUsable = mount?.split(" ")[2] === "tmpfs" && !mount.includes("noexec");
    return isUsable && bavail * bsize >= ROOM_BYTES ? MEMORY : tmpdir();
  } catch {
    // Not Linux.
    return tmpdir();
  }
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: join(import.meta.dirname, "helpers/postgres-for-run.ts"),
    setupFiles: join(import.meta.dirname, "helpers/matchers.ts"),
    // Only to end what hangs: shared machines can be many times slower. Tests set no shorter limits.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    pool: "forks",
    // Files share the modules that a worker has loaded, which saves a third of the time. No module keeps state that
    // could leak from one test to another; a test that changes the process restores it.
    isolate: false,
    // vitest's default is one less than the number of cores. Many tests mostly wait, so four workers keep about two
    // cores busy.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    env: { TZ: "UTC", NO_COLOR: "1", TMPDIR: temporaryFolder() },
  },
});
