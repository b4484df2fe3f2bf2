/**
 * Plants defects and shows whether the tests catch them (test/mutations.md): `node test/mutations/run.ts` plants all,
 * `node test/mutations/run.ts 3 17` only some. `--tree` names another checkout. Ends with exit code 1
 * unless all are caught.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { findPlace, listTracked, pathOfTest, readDefects } from "./plant.ts";

const { values, positionals } = parseArgs({
  options: {
    tree: { type: "string", default: resolve(import.meta.dirname, "../..") },
  },
  allowPositionals: true,
});
const tree = resolve(values.tree);
const DEFECTS = readDefects();
const INSTALLED = ["node_modules", "test/node_modules", "dist"];

/** Tests run in the copy, so that a run that is interrupted leaves nothing in the tree. */
function copyTree(): string {
  const copy = mkdtempSync(join(tmpdir(), "fiscal-mutations-"));
  for (const file of listTracked(tree)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(tree, file), join(copy, file));
  }
  for (const folder of INSTALLED) symlinkSync(join(tree, folder), join(copy, folder));
  return copy;
}

/** A defect can make a test wait forever. */
const RUN_MS_MAX = 300_000;

/** Whether all these tests pass. */
function pass(copy: string, tests: readonly string[], timeout?: number): boolean {
  const vitest = join(copy, "test/node_modules/vitest/vitest.mjs");
  const options = ["--bail=1", "--reporter=dot"];
  const { status } = spawnSync(process.execPath, [vitest, "run", ...options, ...tests.map(pathOfTest)], {
    cwd: copy,
    stdio: timeout === undefined ? ["ignore", "ignore", "inherit"] : "ignore",
    ...(timeout === undefined ? {} : { timeout }),
  });
  return status === 0;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function run(): void {
  const chosen = positionals.length > 0 ? positionals.map(Number) : DEFECTS.map((_, index) => index + 1);
  const copy = copyTree();
  let isFine = true;
  function report(number: number, verdict: string): void {
    print(`${String(number).padStart(3)}  ${verdict.padEnd(9)} ${DEFECTS[number - 1]?.what ?? ""}`);
    isFine &&= verdict === "caught";
  }
  try {
    const tests = new Set(chosen.flatMap((number) => DEFECTS[number - 1]?.caughtBy ?? []));
    if (!pass(copy, [...tests])) throw new Error("The tests fail without any defect");
    for (const number of chosen) {
      const defect = DEFECTS[number - 1];
      if (defect === undefined) throw new Error(`There is no defect ${number}`);
      const { file, planted } = findPlace(tree, defect);
      const path = join(copy, file);
      const original = readFileSync(path, "utf8");
      writeFileSync(path, planted);
      report(number, pass(copy, defect.caughtBy, RUN_MS_MAX) ? "SURVIVED" : "caught");
      writeFileSync(path, original);
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  process.exitCode = isFine ? 0 : 1;
}

run();
