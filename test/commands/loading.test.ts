/** A verb loads little, because loading decides how long it takes to start. */
import { resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { literalOf, runModule } from "../helpers/child.ts";
import { openWorkshop } from "../helpers/program.ts";
import { forAllTests } from "../helpers/set-up.ts";

const EXAMPLE = resolve(import.meta.dirname, "../../examples/documents.csv");

let documentId: string;
const workshop = forAllTests(openWorkshop);
beforeAll(async () => {
  const { run } = workshop;
  await run(["merchants", "add", "--external-id", "shop", "--name", "Shop", "--tax-id", "123456783"]);
  await run(["documents", "issue", EXAMPLE, "--merchant", "shop", "--no-wait"]);
  const { data } = (await run(["documents", "list", "--json"])).json<{ data: { id: string }[] }>();
  documentId = data[0]?.id ?? "";
});

interface Loaded {
  exitCode: number;
  files: string[];
  packages: string[];
}

/** Runs the verb in its own process, and lists the files and packages that were loaded. */
async function loadedBy(...args: string[]): Promise<Loaded> {
  const output = await runModule(`
    import { registerHooks } from "node:module";
    import { Writable } from "node:stream";
    const root = ${literalOf("")} + "/";
    const loaded = new Set();
    registerHooks({
      load(url, context, next) {
        if (url.startsWith(root)) loaded.add(url.slice(root.length));
        return next(url, context);
      },
    });
    const { runProgram } = await import(${literalOf("commands/program.ts")});
    const nowhere = () => new Writable({ write: (chunk, encoding, done) => done() });
    const exitCode = await runProgram(${JSON.stringify(["--data-dir", `${workshop.folder}/data`, ...args])}, {
      env: {}, cwd: ${JSON.stringify(workshop.folder)}, stdin: process.stdin, stdout: nowhere(), stderr: nowhere(),
      version: "1", packageRoot: "", onInterrupt: () => () => {}, onHangup: () => () => {},
    });
    process.stdout.write(JSON.stringify({ exitCode, loaded: [...loaded] }));`);
  const { exitCode, loaded } = JSON.parse(output) as { exitCode: number; loaded: string[] };
  const packageOf = (file: string) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1];
  return {
    exitCode,
    files: loaded.filter((file) => packageOf(file) === undefined),
    packages: [...new Set(loaded.flatMap((file) => packageOf(file) ?? []))].sort(),
  };
}

test("`documents show` loads what reading needs, and nothing that issues, delivers, prints or checks", async () => {
  const { exitCode, files, packages } = await loadedBy("documents", "show", documentId);
  expect(exitCode).toBe(0);
  // What was accepted is read in issuing, and the further fields of a document are those of tables.
  const needless =
    /^(server\/(?!json)|src\/(issuing\/(?!customer-mail|outgoing)|webhooks|paper|intake\/(?!table-fields|cell-values|csv-number)|books|upkeep\/(?!readiness)))/;
  expect(files.filter((file) => needless.test(file))).toEqual([]);
  const ofTables = [
    "ansi-regex",
    "cli-table3",
    "emoji-regex",
    "is-fullwidth-code-point",
    "string-width",
    "strip-ansi",
  ];
  const expected = new Set(["better-sqlite3", "commander", "kysely", "smol-toml", "valibot", ...ofTables]);
  expect(packages.filter((name) => !expected.has(name))).toEqual([]);
});
