import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { allOperations } from "../../server/app.ts";
import { buildOpenApi } from "../../server/openapi.ts";

const REDOCLY = resolve(import.meta.dirname, "../../node_modules/@redocly/cli/bin/cli.js");

test("redocly finds no error in the description", { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "fiscal-openapi-"));
  try {
    const file = join(folder, "openapi.json");
    await writeFile(file, JSON.stringify(buildOpenApi(allOperations())));
    const env = {
      ...process.env,
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
      CI: "true",
    };
    const args = [REDOCLY, "lint", file, "--format", "json"];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env, cwd: folder });
    const { totals } = JSON.parse(stdout) as { totals: { errors: number; warnings: number } };
    expect(totals.errors).toBe(0);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("every operation has a name of its own, a tag, a summary and its errors", () => {
  const operations = allOperations();
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  for (const { summary, tag, path, answer, body, idempotency, method } of operations) {
    expect(summary).not.toBe("");
    expect(tag).not.toBe("");
    expect(path).toMatch(/^\/[a-z_{}/.]+$/);
    if (answer.status === 201)
      expect([method, idempotency, body === undefined]).toEqual(["POST", "required", false]);
  }
});
