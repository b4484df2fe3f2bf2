import fc from "fast-check";
import { expect, test } from "vitest";
import { buildEventObject, eventText } from "../../src/journal/event-object.ts";
import type { EventRow } from "../../storage/journal/events.ts";
import { EVENT_TYPES, MODES } from "../../storage/stored-values.ts";

test("eventText returns the JSON of the event object, regardless of its content", () => {
  // Snapshots are stored as JSON.stringify writes them.
  const json = fc
    .dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue())
    .map((value) => JSON.stringify(value));
  const text = fc.string({ unit: "binary" });
  const row: fc.Arbitrary<EventRow> = fc.record({
    id: text,
    type: fc.constantFrom(...EVENT_TYPES),
    mode: fc.constantFrom(...MODES),
    object_json: json,
    previous_json: fc.option(json),
    request_id: fc.option(text),
    idempotency_key: fc.option(text),
    document_id: fc.constant(null),
    merchant_id: fc.constant(null),
    document_digest: fc.constant(null),
    chain: fc.constant(new Uint8Array(32)),
    created_at: text,
  });
  fc.assert(
    fc.property(row, (event) => {
      expect(eventText(event)).toBe(JSON.stringify(buildEventObject(event)));
    }),
  );
});
