/** Limits how much of an exchange is searched for credentials before it is stored (docs/contract.md#logged-bodies). */
import { describe, expect, test } from "vitest";
import { createEvidence } from "../../src/issuing/call-evidence.ts";
import { createRedactor, type Redactor } from "../../src/logs/redaction.ts";

const SECRET = "s3cret-of-the-merchant-0123456789abcdef";
const LOGGED_MAX = 65_536;

function logged(body: string, redactor: Redactor = createRedactor([SECRET])): string {
  const evidence = createEvidence(undefined, redactor);
  evidence.response({ status: 200, headers: { "content-type": "text/plain" }, body });
  return evidence.exchange.response!.body as string;
}

describe("a long response", () => {
  test.each([LOGGED_MAX - 30, 2 * LOGGED_MAX - 30])(
    "leaves no part of a credential that begins at %i",
    (start) => {
      // Shortened by redaction, so that the end of what is searched comes near the end of what is stored.
      const many = `${SECRET}\n`.repeat(Math.floor(start / (SECRET.length + 1)));
      for (const before of ["x".repeat(start), many.padEnd(start, "x")]) {
        const body = logged(before + SECRET + "x".repeat(10 * LOGGED_MAX));
        expect(body).not.toContain(SECRET.slice(0, 8));
        expect(body).toMatch(/… \[truncated, \d+ bytes\]$/);
      }
    },
  );

  test("is searched only as far as it may be stored", () => {
    let searched = 0;
    const redactor = createRedactor();
    const counting: Redactor = {
      ...redactor,
      text(given) {
        searched += given.length;
        return redactor.text(given);
      },
    };
    const body = logged("word ".repeat(1_000_000), counting);
    expect(searched).toBeLessThan(4 * LOGGED_MAX);
    expect(body.endsWith("… [truncated, 5000000 bytes]")).toBe(true);
  });
});
