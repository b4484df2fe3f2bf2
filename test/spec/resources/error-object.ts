// docs/contract.md#error-object
import { describe, expect, test } from "vitest";
import { CONNECT, EVENTS, type FieldRow, type Json, useServer } from "../helpers/bench.ts";
import { REFUSAL } from "../helpers/played-provider.ts";

interface Samples {
  rejected: Json;
  failed: Json;
  overdrawn: Json;
  refused: Json;
}
let samples: Samples;

const REFUSED = { ...CONNECT, credentials: { user_id: "refused-user", subscription_key: "secret-key" } };
const server = useServer({ env: { FISCAL_ISSUING__DELAYS_SECONDS: "[0]" } }, async (opened) => {
  await opened.connect();
  const refused = await opened.connect(await opened.addMerchant(), {}, REFUSED);
  const errorOf = async (play: string) => (await opened.finished({ play })).error;
  samples = {
    rejected: await errorOf("rejected"),
    failed: await errorOf("away"),
    overdrawn: await errorOf("balance"),
    refused: refused.last_error,
  };
});

const ROWS: readonly FieldRow<Samples>[] = [
  [
    "code",
    "a stable machine code, of those in Errors",
    ({ rejected, failed, overdrawn, refused }) => {
      expect([rejected, failed, overdrawn, refused].map(({ code }) => code)).toEqual([
        "provider_rejected",
        "provider_unavailable",
        "balance_exceeded",
        "provider_credentials_invalid",
      ]);
    },
  ],
  [
    "message",
    "a sentence for a developer, without what is secret or personal",
    (all) => {
      for (const { message } of Object.values(all)) {
        expect(message.length).toBeGreaterThan(10);
        expect(message).not.toMatch(/secret-key|123456783|094012834/);
      }
    },
  ],
  [
    "provider_code",
    "the provider's own, null when it gave none",
    ({ rejected, failed, refused }) => {
      expect([rejected, failed, refused].map((error) => error.provider_code)).toEqual([
        REFUSAL.code,
        null,
        "401",
      ]);
    },
  ],
  [
    "provider_message",
    "word for word, null when it gave none",
    ({ rejected, failed }) => {
      expect([rejected.provider_message, failed.provider_message]).toEqual([REFUSAL.message, null]);
    },
  ],
  [
    "retryable",
    "true when the same request may succeed later",
    ({ rejected, failed, overdrawn, refused }) => {
      expect([rejected, failed, overdrawn, refused].map(({ retryable }) => retryable)).toEqual([
        false,
        true,
        false,
        false,
      ]);
    },
  ],
  [
    "provider_raw",
    "the provider's body as received, absent when there was none",
    ({ rejected, failed, refused }) => {
      expect(rejected.provider_raw).toEqual({ text: "" });
      expect(refused.provider_raw.message).toBe("Access denied");
      expect(failed).not.toHaveProperty("provider_raw");
    },
  ],
];

describe("Error object (as embedded in documents, events, connections)", () => {
  test.each(ROWS)("%s: %s", (_field, _says, check) => {
    check(samples);
  });

  test("provider_raw over 4096 bytes of JSON is replaced by a marker, exactly 4096 is not", async () => {
    const whole = (await server().finished({ play: "rejected", raw_bytes: "4096" })).error.provider_raw;
    expect(Buffer.byteLength(JSON.stringify(whole))).toBe(4096);
    expect(whole.text).toMatch(/^r+$/);
    const cut = (await server().finished({ play: "rejected", raw_bytes: "4097" })).error.provider_raw;
    expect(cut).toEqual({ truncated: true, bytes: 4097 });
  });

  test("a document, its event and its list have the same error", async () => {
    const { id, error } = await server().finished({ play: "rejected" });
    const [event] = await server().read(`${EVENTS}?document=${id}`);
    expect(event.data.object.error).toEqual(error);
    const listed = (await server().read("/api/v1/documents")).find((document: Json) => document.id === id);
    expect(listed.error).toEqual(error);
  });

  test("credentials that a provider repeats are removed from it", async () => {
    expect(samples.refused.provider_raw).toEqual({
      message: "Access denied",
      you: ["[redacted]", "[redacted]"],
    });
    const { body, text } = await server().get(`${EVENTS}?type=connection.invalid`);
    expect(body.data).toHaveLength(1);
    expect(body.data[0].data.object.last_error).toEqual(samples.refused);
    expect(text).not.toMatch(/secret-key|refused-user/);
  });
});
