// docs/contract.md#error-object
// docs/contract.md#error-codes: provider_rejected; balance_exceeded; provider_unavailable; provider_credentials_invalid
// docs/contract.md#limits: provider_raw
import { expect, test } from "vitest";
import { forAllTests } from "../../helpers/set-up.ts";
import { EVENTS, type Json, REFUSED, useServer } from "../helpers/bench.ts";
import { REFUSAL } from "../helpers/played-provider.ts";

const server = useServer();
const errorOf = async (play: string, metadata = {}): Promise<Json> =>
  (await server.finished({ play, ...metadata })).error;
const samples = forAllTests(async () => {
  await server.connect();
  const refused = await server.connect(await server.addMerchant(), {}, REFUSED);
  return {
    rejected: await errorOf("rejected"),
    failed: await errorOf("away"),
    overdrawn: await errorOf("balance"),
    refused: refused.last_error as Json,
  };
});

test("every field", () => {
  const { rejected, failed, overdrawn, refused } = samples;
  expect(rejected).toEqual({
    code: "provider_rejected",
    message: expect.any(String),
    provider_code: REFUSAL.code,
    provider_message: REFUSAL.message,
    retryable: false,
    provider_raw: { text: "" },
  });
  const unknown = { provider_code: null, provider_message: null };
  expect(failed).toEqual({
    code: "provider_unavailable",
    message: expect.any(String),
    ...unknown,
    retryable: true,
  });
  expect(overdrawn).toMatchObject({ code: "balance_exceeded", retryable: false });
  expect(refused).toMatchObject({
    code: "provider_credentials_invalid",
    provider_code: "401",
    retryable: false,
  });
  for (const { message } of Object.values(samples)) {
    expect(message.length).toBeGreaterThan(10);
    expect(message).not.toMatch(/secret-key|123456783|094012834/);
  }
});

test("provider_raw over 4096 bytes of JSON is replaced by a marker, exactly 4096 is not", async () => {
  const whole = (await errorOf("rejected", { raw_bytes: "4096" })).provider_raw;
  expect(Buffer.byteLength(JSON.stringify(whole))).toBe(4096);
  expect(whole.text).toMatch(/^r+$/);
  const cut = (await errorOf("rejected", { raw_bytes: "4097" })).provider_raw;
  expect(cut).toEqual({ truncated: true, bytes: 4097 });
});

test("credentials that a provider repeats are removed from it", async () => {
  expect(samples.refused.provider_raw).toEqual({
    message: "Access denied",
    you: ["[redacted]", "[redacted]"],
  });
  const { body, text } = await server.get(`${EVENTS}?type=connection.invalid`);
  expect(body.data).toHaveLength(1);
  expect(body.data[0].data.object.last_error).toEqual(samples.refused);
  expect(text).not.toMatch(/secret-key|refused-user/);
});
