/**
 * Runs the program from source as a made-up next version: it has one more migration, which takes long because it
 * rewrites every body. For tests of what happens before and during a migration.
 */
import { registerHooks } from "node:module";
import { resolve } from "node:path";

/** The made-up migration, after the others. */
const ADDED = `$1
  async (db) => {
    await sql.raw("alter table bodies add column made_up text").execute(db);
    await sql.raw("update bodies set made_up = hex(sealed)").execute(db);
  },
];`;

const CHANGES: Readonly<Record<string, (source: string) => string>> = {
  "/storage/database/schema.ts": (source) =>
    source.replace(/SCHEMA_VERSION = (\d+)/, (_text, number) => `SCHEMA_VERSION = ${Number(number) + 1}`),
  "/storage/sqlite/migrate.ts": (source) => source.replace(/(const MIGRATIONS[^]*?)\n\];/, ADDED),
};

registerHooks({
  load(url, context, load) {
    const loaded = load(url, context);
    const change = Object.entries(CHANGES).find(([path]) => url.endsWith(path))?.[1];
    return change === undefined ? loaded : { ...loaded, source: change(String(loaded.source)) };
  },
});

const { runProgram } = await import("../../commands/program.ts");
process.exitCode = await runProgram(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  version: "0.0.0",
  packageRoot: resolve(import.meta.dirname, "../.."),
  onInterrupt: () => () => undefined,
});
