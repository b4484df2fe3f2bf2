/** Commands that wait for documents show what for, and end in time. See docs/contract.md#timeout-of-waiting-verbs. */
import { beforeAll, expect, test } from "vitest";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import { issue, issueAll, listed } from "../../helpers/issuing.ts";
import { receipt, openShop } from "../../helpers/receipts.ts";
import { forAllTests } from "../../helpers/set-up.ts";

/** The second attempt is far away. */
const LONG_PAUSE = { FISCAL_ISSUING__DELAYS_SECONDS: "[0,3600]" };

let failed: DocumentObject;
const workshop = forAllTests(openShop);
beforeAll(async () => {
  [failed] = (await issueAll(workshop, [receipt("A-1", "unavailable")])) as [DocumentObject];
});

test("after --timeout they exit with 5, name the next command and leave the document queued", async () => {
  const run = await workshop.run(["documents", "retry", "A-1", "--timeout", "1"], {
    env: LONG_PAUSE,
    terminal: true,
  });
  expect(run.exitCode).toBe(5);
  expect(run.stderr).toMatch(/issuing ░{10} 0\/1 \(1 queued, next \d\d:\d\d:\d\d; until \d\d:\d\d:\d\d\)/);
  expect(run.stderr).toContain("No longer waiting after 1 s. Documents still pending: 1;");
  expect(run.stderr).toContain(`fiscal documents show ${failed.id}`);
  expect(await listed(workshop)).toMatchObject([{ status: "pending", stage: "queued" }]);

  // A document that is queued already is waited for again, here as part of a batch.
  const batch = await issue(workshop, [receipt("A-1", "unavailable")], ["--timeout", "1", "--lang", "el"], {
    env: LONG_PAUSE,
  });
  expect(batch.exitCode).toBe(5);
  expect(batch.stderr).toContain("Η αναμονή τελείωσε μετά από 1 δευτ.");
});

test("Ctrl-C exits with 130 and leaves the document queued", async () => {
  await issueAll(workshop, [receipt("A-2", "unavailable")]);
  const run = await workshop.run(["documents", "retry", "A-2"], {
    env: LONG_PAUSE,
    terminal: true,
    onOutput: (text, program) => {
      if (text.includes("queued, next")) program.interrupt();
    },
  });
  expect(run.exitCode).toBe(130);
  expect(run.stderr).toContain("interrupted: the document is queued");
  const [document] = await listed(workshop);
  expect(document).toMatchObject({ external_reference: "A-2", status: "pending", stage: "queued" });
});
