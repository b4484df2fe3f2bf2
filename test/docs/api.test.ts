/** Runs every command of docs/api.md in a shell, against `serve` with its default settings, and compares the answers with the page. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isInstalled } from "../helpers/child.ts";
import { type ServerProcess, startBuilt } from "../helpers/server-process.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const page = readFileSync(join(ROOT, "docs/api.md"), "utf8");
/** The commands under each heading. The first block starts the server. */
const blocks = [...page.matchAll(/^## (.*)$|^```sh\n([^]*?)^```$/gm)]
  .reduce<{ heading: string; commands: string }[]>(
    (found, [, heading, commands]) =>
      heading === undefined
        ? [...found, { heading: found.at(-1)?.heading ?? "", commands: commands ?? "" }]
        : [...found, { heading, commands: "" }],
    [],
  )
  .filter(({ commands }) => commands !== "");

const DIVIDER = "=== next block ===";

describe.skipIf(!isInstalled("curl"))("docs/api.md", () => {
  let folder: string;
  let server: ServerProcess;
  /** What each block printed, by its heading. */
  const printed = new Map<string, string>();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "fiscal-api-"));
    const env = {
      FISCAL_DATA_DIR: join(folder, "fiscal-quickstart"),
      // A busy machine may need longer than ten seconds for the requests that reach the limit.
      FISCAL_RATE_LIMIT__WINDOW_SECONDS: "600",
    };
    server = await startBuilt({ folder, env });
    const npx = join(folder, "npx");
    await writeFile(
      npx,
      `#!/bin/sh\nshift\nexec '${process.execPath}' '${join(ROOT, "bin/fiscal.js")}' "$@"\n`,
    );
    await chmod(npx, 0o755);
    const [start, ...others] = blocks;
    expect(start!.commands).toBe("npx fiscal --data-dir ./fiscal-quickstart serve\n");
    const script = others.map(({ commands }) => commands).join(`echo '${DIVIDER}'\n`);
    const { stdout } = await promisify(execFile)(
      "sh",
      ["-ec", script.replaceAll("http://127.0.0.1:8787", server.url)],
      { cwd: folder, env: { PATH: `${folder}:${process.env["PATH"]}`, HOME: folder } },
    );
    for (const [index, text] of stdout.split(`${DIVIDER}\n`).entries())
      printed.set(others[index]!.heading, `${printed.get(others[index]!.heading) ?? ""}${text}`);
  });
  afterAll(async () => {
    await server.kill();
    await rm(folder, { recursive: true, force: true });
  });

  const under = (heading: string) => printed.get(heading) ?? "";
  const statusesOf = (text: string) =>
    [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));

  test("issues a document and gets its PDF", async () => {
    const text = under("Issue a document");
    expect(statusesOf(text)).toEqual([201]);
    expect(text).toMatch(/"status":"pending","stage":"queued"[^]*"status":"issued"[^]*"mark":"4\d{14}"/);
    expect((await readFile(join(folder, "order.pdf"))).subarray(0, 5).toString()).toBe("%PDF-");
  });

  test("repeats it safely", () => {
    const text = under("Repeat safely");
    expect(statusesOf(text)).toEqual([201, 409]);
    expect(text).toContainAll(/^idempotent-replayed: true/m, '"code":"idempotency_conflict"');
  });

  test("gets the errors that it names", () => {
    const named = [...page.matchAll(/^# (\d{3}) (\w+):/gm)].map(([, status, code]) => [Number(status), code]);
    const text = under("Errors");
    const codes = [...text.matchAll(/"code":"(\w+)"/g)].map(([, code]) => code);
    const statuses = statusesOf(text).filter((status) => status !== 100);
    expect(statuses.map((status, index) => [status, codes[index]])).toEqual(named);
    expect(named.length).toBeGreaterThan(3);
  });

  test("finds out what happened", () => {
    expect(under("Find out what happened")).toMatch(
      /POST \/api\/v1\/documents[^]*doc_[0-9A-Za-z]{22}[^]*sandbox/,
    );
  });
});
