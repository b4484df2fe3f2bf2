// docs/contract.md#event-types: document.cancelled
import { describe, expect, test } from "vitest";
import { openServer } from "../helpers/http.ts";
import { auditNumbering } from "../../src/numbering/audit-numbers.ts";
import { forEachTest } from "../helpers/set-up.ts";
import { invoice } from "../helpers/receipts.ts";

const server = forEachTest(openServer);

const DOCUMENTS = "/api/v1/documents";

describe("issuing", () => {
  const rejected = { status: "rejected", error: { code: "provider_rejected" } };
  const waits = { status: "pending", stage: "queued" };
  const away = { code: "provider_unavailable", retryable: true, provider_code: null, provider_message: null };

  test.each<[scene: string, first: object, pauses: number[], last: object]>([
    ["rejected", { ...rejected, error: { provider_code: "203", retryable: false } }, [], rejected],
    ["opera", rejected, [], rejected],
    ["unavailable_once", waits, [11_000], { status: "issued" }],
    ["timeout", { status: "pending", stage: "reconciling" }, [2_300], { status: "issued" }],
    ["pending", { status: "pending", stage: "awaiting_mark" }, [2_300, 4_500, 9_000], { status: "issued" }],
    ["unavailable", waits, [11_000, 66_000, 330_000], { status: "failed", error: away, number: 1 }],
  ])(
    "the sandbox follows the scenario %s, which ends after its delays",
    async (scene, first, pauses, last) => {
      let document = await server.issued({ metadata: { sandbox: scene } });
      expect(document).toMatchObject(first);
      for (const pauseMs of pauses) {
        expect(document.status).toBe("pending");
        server.advance(pauseMs);
        await server.settle();
        document = await server.read(`${DOCUMENTS}/${document.id}`);
      }
      expect(document).toMatchObject(last);
    },
  );

  test("a rejected document releases its number, and the next one takes it", async () => {
    expect((await server.issued({ metadata: { sandbox: "rejected" } })).number).toBeNull();
    expect((await server.issued()).number).toBe(1);
    expect((await server.issued()).number).toBe(2);
  });

  test("an explicit number is used once, and the counter continues from it", async () => {
    expect(await server.issued({ series: "ΑΠΥ", number: 57 })).toMatchObject({ series: "ΑΠΥ", number: 57 });
    expect((await server.issue({ series: "ΑΠΥ", number: 57 })).body).toMatchObject({
      code: "already_exists",
    });
    expect((await server.issue({ number: 3 })).body.message).toBe(
      "number: can be given only together with series",
    );
    expect((await server.issue({ number: 3, provider: "none" })).body.message).toContain(
      "number: can be given only",
    );
    // docs/contract.md#transmission-failure
    expect((await server.issue({ metadata: { transmission_failure: "1" } })).body.message).toBe(
      'metadata.transmission_failure: must be "3" (the connection was lost) or be left out',
    );
    expect(await server.issued({ series: "ΑΠΥ" })).toMatchObject({ series: "ΑΠΥ", number: 58 });
  });
});

describe("an explicit number", () => {
  const explain = async () => {
    const { counters, holes } = await auditNumbering(server.appliance, {});
    const numbers = counters.flatMap((counter) => counter.numbers);
    return { holes, numbers: numbers.map(({ number, through, state }) => [number, through, state]) };
  };

  test("that a refused document released is used by its next document only", async () => {
    const given = { series: "ΑΠΥ", number: 57 };
    await server.issued({ ...given, metadata: { sandbox: "rejected" } });
    expect(await explain()).toMatchObject({ holes: [], numbers: [[57, undefined, "released"]] });
    expect(await server.issued(given)).toMatchObject({ number: 57 });
    expect(await server.issued({ series: "ΑΠΥ" })).toMatchObject({ number: 58 });
    const numbers = [57, 58].map((number) => [number, undefined, "issued"]);
    expect(await explain()).toEqual({ holes: [], numbers });
  });

  test("within a range that was skipped leaves the rest of it skipped", async () => {
    await server.issued({ series: "ΑΠΥ", number: 1 });
    await server.issued({ series: "ΑΠΥ", number: 9 });
    expect(await server.issued({ series: "ΑΠΥ", number: 5 })).toMatchObject({ number: 5 });
    expect(await explain()).toMatchObject({
      holes: [],
      numbers: [
        [1, undefined, "issued"],
        [2, 4, "passed"],
        [5, undefined, "issued"],
        [6, 8, "passed"],
        [9, undefined, "issued"],
      ],
    });
    expect(await server.issued({ series: "ΑΠΥ" })).toMatchObject({ number: 10 });
  });

  test("is in use in its own counter only, and while its document waits", async () => {
    await server.issued({ series: "ΑΠΥ", number: 57, metadata: { sandbox: "pending" } });
    expect((await server.issue({ series: "ΑΠΥ", number: 57 })).body).toMatchObject({
      code: "already_exists",
    });
    expect(await server.issued({ series: "ΑΠΧ", number: 57 })).toMatchObject({ number: 57 });
  });
});

test("a cancellation cancels an issued document once, keeps its status, and emits an event", async () => {
  const { id, mark } = await server.issued();
  const { status, body } = await server.post(`${DOCUMENTS}/${id}/cancel`, undefined);
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    status: "issued",
    mark,
    cancellation_mark: expect.stringMatching(/^49\d{13}$/),
  });
  expect(body.data.timeline.at(-1).type).toBe("document.cancelled");
  expect((await server.post(`${DOCUMENTS}/${id}/cancel`, undefined)).body.code).toBe("invalid_state");
  const queued = (await server.issue()).body.data;
  expect((await server.post(`${DOCUMENTS}/${queued.id}/cancel`, undefined)).body.code).toBe("invalid_state");
});

test("the list filters by MARK and by when a document was created", async () => {
  await server.issued({ metadata: { sandbox: "rejected" } });
  const good = await server.issued();
  const ids = async (query: string) =>
    (await server.read(`${DOCUMENTS}?${query}`)).map(({ id }: { id: string }) => id);
  expect(await ids(`mark=${good.mark}`)).toEqual([good.id]);
  expect(await ids("mark=400000000000009")).toEqual([]);
  expect(await ids(`created[gte]=${good.created}&created[lte]=${good.created}`)).toContain(good.id);
  expect(await ids("created[lte]=2026-11-01T00:00:00Z")).toEqual([]);
});

// docs/contract.md#document-contents
test("the contents are the document as accepted, and its lines with their amounts and classification", async () => {
  const { id } = (await server.issue({ document: invoice("I-1").document })).body.data;
  const { status, body } = await server.get(`/api/v1/documents/${id}/contents`);
  expect(status).toBe(200);
  const { object, document, lines, classification } = body.data;
  expect(object).toBe("document_contents");
  expect(body.data.id).toBe(id);
  expect(document).toMatchObject({
    type: "1.1",
    // Normalised: what was left out has its default.
    customer: { tax_id: { country: "GR", code: "094012834" }, branch: 0 },
    lines: [{ unit: "kg" }, { unit: "piece" }],
    totals: { net: 5100, vat: 1224, gross: 6324 },
  });
  expect(document).not.toHaveProperty("payments");
  const applied = { category: "category1_1", type: "E3_561_001" };
  expect(lines).toEqual([
    { ...document.lines[0], line: 1, net: 3000, vat: 720, gross: 3720, classification: applied },
    { ...document.lines[1], line: 2, net: 2100, vat: 504, gross: 2604, classification: applied },
  ]);
  const { data } = (await server.get(`/api/v1/documents/${id}`)).body;
  expect(classification).toEqual(data.classification);
});
