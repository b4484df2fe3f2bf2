import { chmod } from "node:fs/promises";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { createDoctorRunner } from "../../commands/root/child-commands.ts";
import { openShop } from "../helpers/receipts.ts";
import { forAllTests } from "../helpers/set-up.ts";

const workshop = forAllTests(openShop);

/** Runs `doctor` as a server does, in a process of its own. */
function run(env: Record<string, string> = {}) {
  const io = {
    cwd: workshop.folder,
    env: { HOME: workshop.folder, ...env },
    packageRoot: resolve(import.meta.dirname, "../.."),
  };
  return createDoctorRunner({ io, options: { dataDir: "data" } })(new AbortController().signal, {
    deep: false,
  });
}

test("a server's doctor returns the findings in both languages", async () => {
  await chmod(workshop.at("data", "fiscal.db"), 0o644);
  const problems = (await run()).filter(({ severity }) => severity === "problem");
  expect(problems).toEqual([
    {
      check: "files",
      severity: "problem",
      message: {
        en: expect.stringContaining("Other users may open"),
        el: expect.stringContaining("Άλλοι εκτός από τον κάτοχο"),
      },
      next_step: { en: expect.stringContaining("chmod"), el: expect.stringContaining("chmod") },
      mode: null,
      subjects: [],
    },
  ]);
});

test("a server's doctor fails without a valid configuration, instead of finding nothing", async () => {
  await expect(run({ FISCAL_MAIL__PORT: "none" })).rejects.toThrow("doctor ended with 78");
});
