// docs/contract.md#document-object
import { describe, expect, test } from "vitest";
import { buildDocument } from "../helpers/canonical.ts";
import { DOCUMENTS, type FieldRow, idForm, INSTANT, type Json, NOW, useServer } from "../helpers/bench.ts";

/** Creates documents in every state. */
interface Samples {
  merchant: string;
  all: Json[];
  created: Json;
  issued: Json;
  waiting: Json;
  rejected: Json;
  failed: Json;
  live: Json;
  stages: Record<string, Json>;
}
let samples: Samples;

const server = useServer({ env: { FISCAL_ISSUING__DELAYS_SECONDS: "[0]" } }, async (opened) => {
  const { merchant, finished, read, settle } = opened;
  await opened.connect();
  await opened.connect(merchant, { key: opened.liveKey });
  const live = (await opened.issue({}, { key: opened.liveKey })).body.data;
  const [queued, accepted, lost, waiting, issued, rejected, failed] = await Promise.all([
    opened.issue({ external_reference: "kept-back", provider: "sandbox" }).then(({ body }) => body.data),
    finished({ play: "accepted", later: "waits" }),
    finished({ play: "lost", later: "away" }),
    finished({ play: "accepted", later: "waits" }),
    finished(
      {},
      { external_reference: "order-1", document: buildDocument("1.1", { issue_date: "2026-11-02" }) },
    ),
    finished({ play: "rejected" }),
    finished({ play: "away" }),
  ]);
  const { reached, release } = opened.hold();
  const held = (await opened.issue({})).body.data;
  const working = settle();
  await reached;
  const submitting = await read(`${DOCUMENTS}/${held.id}`);
  release();
  await working;
  const stages = { queued, submitting, awaiting_mark: accepted, reconciling: lost };
  const all = [...Object.values(stages), issued, rejected, failed];
  samples = { merchant, all, created: queued, issued, waiting, rejected, failed, live, stages };
});

const ROWS: readonly FieldRow<Samples>[] = [
  [
    "id",
    "doc_ and 22 characters, one of its own each",
    ({ all }) => {
      for (const { id } of all) expect(id).toMatch(idForm("doc"));
      expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    },
  ],
  [
    "object",
    "always document",
    ({ all }) => expect(new Set(all.map(({ object }) => object))).toEqual(new Set(["document"])),
  ],
  [
    "merchant",
    "the merchant that it is issued for",
    ({ all, merchant }) => {
      for (const document of all) expect(document.merchant).toBe(merchant);
    },
  ],
  [
    "mode",
    "that of the key",
    ({ all, live }) => {
      for (const { mode } of all) expect(mode).toBe("test");
      expect(live.mode).toBe("live");
    },
  ],
  [
    "provider",
    "the one that it was routed to",
    ({ created, issued }) =>
      expect([created.provider, issued.provider]).toEqual(["sandbox", "registry_direct"]),
  ],
  ["type", "as sent", ({ issued }) => expect(issued.type).toBe("1.1")],
  [
    "status",
    "pending, issued, rejected or failed",
    ({ stages, issued, rejected, failed }) => {
      for (const { status } of Object.values(stages)) expect(status).toBe("pending");
      expect([issued, rejected, failed].map(({ status }) => status)).toEqual([
        "issued",
        "rejected",
        "failed",
      ]);
    },
  ],
  [
    "stage",
    "one of four while pending, null otherwise",
    ({ stages, issued, rejected, failed }) => {
      for (const [stage, document] of Object.entries(stages)) expect(document.stage).toBe(stage);
      expect([issued, rejected, failed].map(({ stage }) => stage)).toEqual([null, null, null]);
    },
  ],
  ["issue_date", "as sent", ({ issued }) => expect(issued.issue_date).toBe("2026-11-02")],
  [
    "currency",
    "always EUR",
    ({ all }) => {
      for (const { currency } of all) expect(currency).toBe("EUR");
    },
  ],
  ["net", "the cents of the lines", ({ issued }) => expect(issued.net).toBe(833)],
  ["vat", "the cents of their VAT", ({ issued }) => expect(issued.vat).toBe(200)],
  ["gross", "net and vat", ({ issued }) => expect(issued.gross).toBe(1033)],
  [
    "mark",
    "null until issued",
    ({ all, issued }) => {
      for (const { mark, status } of all) expect(mark === null).toBe(status !== "issued");
      expect(issued.mark).toMatch(/^40000\d{10}$/);
    },
  ],
  [
    "uid",
    "40 upper-case hexadecimal digits once known",
    ({ created, issued }) => {
      expect(created.uid).toBeNull();
      expect(issued.uid).toMatch(/^[0-9A-F]{40}$/);
    },
  ],
  [
    "qr_url",
    "an address once the provider returns one",
    ({ created, issued }) => {
      expect(created.qr_url).toBeNull();
      expect(issued.qr_url).toBe(`https://provider.example/qr/${issued.mark}`);
    },
  ],
  [
    "error",
    "why it was rejected or failed, null otherwise",
    ({ all, rejected, failed }) => {
      for (const { error, status } of all)
        expect(error === null).toBe(status === "pending" || status === "issued");
      expect(rejected.error).toMatchObject({
        code: "provider_rejected",
        retryable: false,
        provider_code: "203",
      });
      expect(failed.error).toMatchObject({
        code: "provider_unavailable",
        retryable: true,
        provider_code: null,
      });
    },
  ],
  [
    "classification",
    "its source and its warnings",
    ({ all }) => {
      for (const { classification } of all)
        expect(Object.keys(classification).sort()).toEqual(["source", "warnings"]);
    },
  ],
  [
    "timeline",
    "its events, oldest first",
    ({ created, failed }) => {
      expect(created.timeline.map(({ type }: Json) => type)).toEqual(["document.created"]);
      expect(failed.timeline.map(({ type }: Json) => type)).toEqual(["document.created", "document.failed"]);
    },
  ],
  [
    "created",
    "when it was accepted",
    ({ all }) => {
      for (const { created } of all) expect(created).toMatch(INSTANT);
      expect(all[0].created.slice(0, 20)).toBe(NOW.slice(0, 20));
    },
  ],
];

describe("Document (response object)", () => {
  test.each(ROWS)("%s: %s", (_field, _says, check) => {
    check(samples);
  });

  test("updated: when it last changed", async () => {
    const { id, created, updated } = samples.waiting;
    expect(updated).toMatch(INSTANT);
    server().advance(60_000);
    await server().settle();
    const later = await server().read(`${DOCUMENTS}/${id}`);
    expect(later.created).toBe(created);
    // It was queried and is still waiting, so it did not change.
    expect(later.updated).toBe(updated);
    const other = (await server().issue({ provider: "sandbox" })).body.data;
    server().advance(5000);
    await server().settle();
    const issued = await server().read(`${DOCUMENTS}/${other.id}`);
    expect(issued.status).toBe("issued");
    expect(Date.parse(issued.updated) - Date.parse(issued.created)).toBeGreaterThanOrEqual(5000);
  });

  test("documents inside events carry external_reference and metadata", async () => {
    const { id } = samples.issued;
    const events = await server().read(`/api/v1/events?document=${id}`);
    for (const { data } of events) {
      expect(data.object).toMatchObject({ id, external_reference: "order-1", metadata: {} });
    }
    const plain = samples.rejected;
    const [latest] = await server().read(`/api/v1/events?document=${plain.id}`);
    expect(latest.data.object).toMatchObject({ external_reference: null, metadata: { play: "rejected" } });
  });

  test("it has exactly the contract's fields", () => {
    const added = ["cancellation_mark", "cancelled_at", "external_reference", "metadata", "number", "series"];
    const names = [...ROWS.map(([field]) => field), "updated", ...added].sort();
    for (const document of samples.all) expect(Object.keys(document).sort()).toEqual(names);
  });
});
