// docs/contract.md#timeline
import { describe, expect, test } from "vitest";
import { DOCUMENTS, EVENTS, idForm, INSTANT, type Json, useServer } from "../helpers/bench.ts";

/** Sending fails, is retried and fails again, each at a different time. */
let document: Json;
const server = useServer({ env: { FISCAL_ISSUING__DELAYS_SECONDS: "[0]" } }, async (opened) => {
  const { id } = (await opened.issue({ metadata: { sandbox: "unavailable" } })).body.data;
  opened.advance(1000);
  await opened.settle();
  opened.advance(1000);
  await opened.post(`${DOCUMENTS}/${id}/retry`, undefined);
  opened.advance(1000);
  await opened.settle();
  document = await opened.read(`${DOCUMENTS}/${id}`);
});

const TYPES = ["document.created", "document.failed", "document.retried", "document.failed"];

describe("Timeline entry", () => {
  test("id: the event's, which can be retrieved", async () => {
    for (const { id } of document.timeline) {
      expect(id).toMatch(idForm("evt"));
      expect((await server().read(`${EVENTS}/${id}`)).data.object.id).toBe(document.id);
    }
    const events = await server().read(`${EVENTS}?document=${document.id}`);
    expect(document.timeline.map(({ id }: Json) => id)).toEqual(events.map(({ id }: Json) => id).reverse());
  });

  test("type: the event's", () => {
    expect(document.timeline.map(({ type }: Json) => type)).toEqual(TYPES);
  });

  test("created: when it happened, oldest first", () => {
    const instants = document.timeline.map(({ created }: Json) => created);
    for (const instant of instants) expect(instant).toMatch(INSTANT);
    expect(instants[0]).toBe(document.created);
    expect(instants.map((instant: string) => instant.slice(17, 19))).toEqual(["00", "01", "02", "03"]);
    expect(instants.at(-1)).toBe(document.updated);
  });

  test("an entry has exactly these three fields", () => {
    for (const entry of document.timeline) expect(Object.keys(entry)).toEqual(["id", "type", "created"]);
  });
});
