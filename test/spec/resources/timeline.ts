// docs/contract.md#timeline
import { describe, expect, test } from "vitest";
import { forAllTests } from "../../helpers/set-up.ts";
import { DOCUMENTS, EVENTS, idForm, type Json, useServer } from "../helpers/bench.ts";

/** Sending fails, is retried and fails again, each at a different time. */
const server = useServer();
const document: Json = forAllTests(async () => {
  const { id } = (await server.issue({ metadata: { sandbox: "unavailable" } })).body.data;
  server.advance(1000);
  await server.settle();
  server.advance(1000);
  await server.post(`${DOCUMENTS}/${id}/retry`, undefined);
  server.advance(1000);
  await server.settle();
  return server.read(`${DOCUMENTS}/${id}`);
});

const TYPES = ["document.created", "document.failed", "document.retried", "document.failed"];

describe("Timeline entry", () => {
  test("id: the event's, which can be retrieved", async () => {
    for (const { id } of document.timeline) {
      expect(id).toMatch(idForm("evt"));
      expect((await server.read(`${EVENTS}/${id}`)).data.object.id).toBe(document.id);
    }
    const events = await server.read(`${EVENTS}?document=${document.id}`);
    expect(document.timeline.map(({ id }: Json) => id)).toEqual(events.map(({ id }: Json) => id).reverse());
  });

  test("every field of each: the type of the event, and when it happened, oldest first", () => {
    const seconds = ["00", "01", "02", "03"].map((second) => expect.stringMatching(`T09:00:${second}\\.`));
    expect(document.timeline).toEqual(
      TYPES.map((type, at) => ({ id: expect.any(String), type, created: seconds[at] })),
    );
    expect(document.timeline[0].created).toBe(document.created);
    expect(document.timeline.at(-1).created).toBe(document.updated);
  });
});
