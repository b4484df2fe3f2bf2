// docs/contract.md#document-object
import { expect, test } from "vitest";
import { buildDocument } from "../helpers/canonical.ts";
import { forAllTests } from "../../helpers/set-up.ts";
import { DOCUMENTS, idForm, INSTANT, type Json, NOW, useServer } from "../helpers/bench.ts";

const server = useServer();
/** Documents in every state. */
const samples = forAllTests(async () => {
  const { merchant, finished } = server;
  await server.connect();
  await server.connect(merchant, { key: server.liveKey });
  const live = (await server.issue({}, { key: server.liveKey })).body.data;
  const [queued, accepted, lost, waiting, issued, rejected, failed] = await Promise.all([
    server.issue({ external_reference: "kept-back", provider: "sandbox" }).then(({ body }) => body.data),
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
  const { reached, release } = server.block();
  const held = (await server.issue({})).body.data;
  const working = server.settle();
  await reached;
  const submitting = await server.read(`${DOCUMENTS}/${held.id}`);
  release();
  await working;
  const stages = { queued, submitting, awaiting_mark: accepted, reconciling: lost };
  return { issued, waiting, rejected, failed, live, stages };
});

// Each has exactly these fields.
test("every field of an issued one", () => {
  const { issued } = samples;
  expect(issued).toEqual({
    id: expect.stringMatching(idForm("doc")),
    object: "document",
    merchant: server.merchant,
    mode: "test",
    provider: "registry_direct",
    type: "1.1",
    status: "issued",
    stage: null,
    issue_date: "2026-11-02",
    currency: "EUR",
    net: 833,
    vat: 200,
    gross: 1033,
    mark: expect.stringMatching(/^40000\d{10}$/),
    uid: expect.stringMatching(/^[0-9A-F]{40}$/),
    qr_url: `https://provider.example/qr/${issued.mark}`,
    error: null,
    classification: { source: "default", warnings: expect.any(Array) },
    timeline: [
      expect.objectContaining({ type: "document.created" }),
      expect.objectContaining({ type: "document.issued" }),
    ],
    series: "TIM",
    number: expect.any(Number),
    external_reference: "order-1",
    metadata: {},
    cancellation_mark: null,
    cancelled_at: null,
    created: expect.stringMatching(INSTANT),
    updated: expect.stringMatching(INSTANT),
  });
});

test("the fields of the others", () => {
  const { issued, live, stages, rejected, failed } = samples;
  const all = [...Object.values(stages), issued, rejected, failed];
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  for (const document of all) expect(Object.keys(document).sort()).toEqual(Object.keys(issued).sort());
  for (const [stage, document] of Object.entries(stages))
    expect(document).toMatchObject({ status: "pending", stage, mark: null, error: null });
  expect(stages.queued).toMatchObject({ provider: "sandbox", uid: null, qr_url: null });
  expect(stages.queued.created.slice(0, 20)).toBe(NOW.slice(0, 20));
  expect(live.mode).toBe("live");
  const why = (code: string, retryable: boolean, provider_code: string | null) => ({
    mark: null,
    stage: null,
    error: { code, retryable, provider_code },
  });
  expect(rejected).toMatchObject({ status: "rejected", ...why("provider_rejected", false, "203") });
  expect(failed).toMatchObject({ status: "failed", ...why("provider_unavailable", true, null) });
  expect(failed.timeline.map(({ type }: Json) => type)).toEqual(["document.created", "document.failed"]);
});

test("updated: when it last changed", async () => {
  const { id, created, updated } = samples.waiting;
  server.advance(60_000);
  await server.settle();
  const later = await server.read(`${DOCUMENTS}/${id}`);
  expect(later.created).toBe(created);
  // It was queried and is still waiting, so it did not change.
  expect(later.updated).toBe(updated);
  const other = (await server.issue({ provider: "sandbox" })).body.data;
  server.advance(5000);
  await server.settle();
  const issued = await server.read(`${DOCUMENTS}/${other.id}`);
  expect(issued.status).toBe("issued");
  expect(Date.parse(issued.updated) - Date.parse(issued.created)).toBeGreaterThanOrEqual(5000);
});
