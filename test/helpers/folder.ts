/** Temporary folders of tests. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A new folder, which is removed when the test has finished. Called in a test or before each. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "fiscal-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
