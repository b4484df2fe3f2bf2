/** The console's form for a document that was not issued here: docs/contract.md#console-form-for-a-credit-note. */
import { beforeAll, expect, test } from "vitest";
import type { ReadDocumentOutcome } from "../../src/domain/provider-adapter.ts";
import { buildErrorObject } from "../../src/foundation/errors.ts";
import { sameInBoth } from "../../src/foundation/text.ts";
import { NO_RETRIES } from "../helpers/appliance.ts";
import { openConnectingServer } from "../helpers/connecting.ts";
import { expectPage, fieldsOf, signedIn } from "../helpers/console.ts";
import { foundInvoice } from "../helpers/registered.ts";
import { forAllTests } from "../helpers/set-up.ts";

const MARK = "400001234567890";
let outcome: ReadDocumentOutcome;
const server = forAllTests(() => openConnectingServer({ env: NO_RETRIES }));
const visitor = forAllTests(() => signedIn(server));
beforeAll(async () => {
  Object.assign(server.provider.adapter, { readDocument: async () => outcome });
  await server.connect();
});

function noAnswer(): ReadDocumentOutcome {
  const error = buildErrorObject("provider_unavailable", sameInBoth("No answer"));
  return { kind: "not_sent", error, retryAfterMs: 2000 };
}

test("is read, previewed and credited once, although the preview is submitted twice", async () => {
  outcome = foundInvoice(MARK);
  expect((await visitor.get("/console/documents")).html).toContain('href="/console/credit"');
  const asked = await visitor.get("/console/credit");
  const form = await visitor.submit("/console/credit/lines", asked, {
    merchant: server.merchant,
    mark: MARK,
  });
  expect(form.html).toContain(`Credit note for MARK ${MARK}`);
  const shown = await visitor.submit("/console/credit/preview", form, { "quantity-1": "0,25" });
  expect(shown.html).toContain("€31.00");
  const both = [
    await visitor.submit("/console/credit", shown),
    await visitor.submit("/console/credit", shown),
  ];
  expect(both[0]!.status).toBe(303);
  expect(both[1]!.headers.get("location")).toBe(both[0]!.headers.get("location"));
});

test("that cannot be read is explained above the form, which keeps the MARK", async () => {
  outcome = noAnswer();
  const asked = await visitor.get("/console/credit", { "accept-language": "el" });
  expect(asked.html).toContain("Πίστωση τιμολογίου άλλου προγράμματος");
  const refused = await visitor.submit("/console/credit/lines", asked, {
    merchant: server.merchant,
    mark: MARK,
  });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "2"]);
  expect(refused.html).toContain(`value="${MARK}"`);
  expectPage(
    await visitor.submit("/console/credit/lines", asked, {
      merchant: server.merchant,
      mark: "0",
    }),
    400,
    'aria-describedby="mark-mistake"',
  );
});

test("keeps the quantities if it cannot be read again for the preview", async () => {
  outcome = foundInvoice(MARK);
  const asked = await visitor.get("/console/credit");
  const names = { merchant: server.merchant, mark: MARK };
  const form = await visitor.submit("/console/credit/lines", asked, names);
  outcome = noAnswer();
  const refused = await visitor.submit("/console/credit/preview", form, { "quantity-1": "0,2" });
  expect(refused.status).toBe(503);
  // The way back is the form that asks for the MARK.
  expect(refused.html).toContain('href="/console/credit"');
  const again = await visitor.submit("/console/credit/change", refused);
  expect(again.status).toBe(503);
  outcome = foundInvoice(MARK);
  const kept = await visitor.submit("/console/credit/change", again);
  expect(fieldsOf(kept)).toMatchObject({ "quantity-1": "0,2", key: fieldsOf(form)["key"] });
});
