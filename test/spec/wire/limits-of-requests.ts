// docs/contract.md#limits
import { expect, test } from "vitest";
import { DOCUMENTS, MERCHANTS, openSpecServer, REQUESTS, useServer } from "../helpers/bench.ts";
import { closing } from "../../helpers/set-up.ts";
import { expectError } from "../../helpers/http.ts";

const server = useServer();

test("Merchant external_id, name: counted in characters, so that accepted values can be searched", async () => {
  const externalId = "😀".repeat(200);
  const { status, body } = await server.post(MERCHANTS, {
    external_id: externalId,
    name: "😀".repeat(200),
  });
  expect(status).toBe(201);
  const found = await server.read(`${MERCHANTS}?external_id=${encodeURIComponent(externalId)}`);
  expect(found).toEqual([body.data]);
});

test("Request body: at most 4194304 bytes, which the error names", async () => {
  const sent = (bytes: number) =>
    server.post(`${DOCUMENTS}/preview`, undefined, { raw: `"${"x".repeat(bytes - 2)}"` });
  expect((await sent(4_194_304)).status).toBe(400);
  expectError(await sent(4_194_305), 413, "payload_too_large", "4194304");
});

test("Logged bodies: truncated over 64 KB, counted in bytes", async () => {
  const kept = async (bytes: number) => {
    const headers = { "x-request-id": `of-${bytes}-bytes` };
    // Two bytes per character, and two for the quotes.
    const raw = JSON.stringify("ώ".repeat((bytes - 2) / 2));
    await server.post(`${DOCUMENTS}/preview`, undefined, { raw, headers });
    const [{ id }] = await server.readLog(`request_id=client:of-${bytes}-bytes`);
    return (await server.read(`${REQUESTS}/${id}`)).request.body as string;
  };
  expect(await kept(65_536)).toBe("ώ".repeat(32_767));
  const cut = await kept(65_538);
  expect(cut.slice(-30)).toBe(`${"ώ".repeat(4)}… [truncated, 65538 bytes]`);
  expect(Buffer.byteLength(cut.slice(0, -26))).toBeLessThanOrEqual(65_536);
});

test("Rate limit: reported with every response, by default 1000 in 10 seconds per key", async () => {
  await using own = await closing(openSpecServer({ env: { FISCAL_RATE_LIMIT__REQUESTS: "1000" } }));
  const told = async (key: string) => {
    const { headers } = await own.get(MERCHANTS, { key });
    return ["limit", "remaining", "reset"].map((name) => headers.get(`ratelimit-${name}`));
  };
  expect(await told(own.testKey)).toEqual(["1000", "999", "10"]);
  own.advance(9001);
  expect(await told(own.testKey)).toEqual(["1000", "998", "1"]);
  expect(await told(own.liveKey)).toEqual(["1000", "999", "10"]);
  own.advance(999);
  expect(await told(own.testKey)).toEqual(["1000", "999", "10"]);
});
