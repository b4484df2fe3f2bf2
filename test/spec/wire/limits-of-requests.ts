// docs/contract.md#limits
import { describe, expect, test } from "vitest";
import { problemPaths } from "../helpers/canonical.ts";
import { DOCUMENTS, EVENTS, MERCHANTS, openSpecServer, REQUESTS, useServer } from "../helpers/bench.ts";

const server = useServer();

describe("Limits of requests", () => {
  test("Idempotency-Key: 1 to 255 printable ASCII characters", async () => {
    const keyed = async (key: string) =>
      (await server().request("POST", MERCHANTS, { body: {}, headers: { "idempotency-key": key } })).body
        .message;
    for (const key of ["!", "~".repeat(255)]) expect(await keyed(key)).toMatch(/^external_id: /);
    for (const key of ["", "k".repeat(256), "a b"]) expect(await keyed(key)).toMatch(/^Idempotency-Key: /);
  });

  test("Metadata: up to 50 pairs, keys 1 to 40 characters, values up to 500", async () => {
    const pairs = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`key-${at}`, "v"]));
    const issue = async (metadata: unknown) => {
      const { status, body } = await server().issue({ metadata });
      return status === 201 ? body.data.metadata : problemPaths(body.message)[0];
    };
    for (const metadata of [{}, pairs(50), { ["k".repeat(40)]: "ώ".repeat(500), k: "" }])
      expect(await issue(metadata)).toEqual(metadata);
    expect(await issue(pairs(51))).toBe("metadata");
    expect(await issue({ ["k".repeat(41)]: "v" })).toBe("metadata.(key)");
    expect(await issue({ "": "v" })).toBe("metadata.(key)");
    expect(await issue({ k: "v".repeat(501) })).toBe("metadata.k");
  });

  test("Merchant external_id, name: 1 to 200 characters each", async () => {
    const create = async (fields: object) => {
      const body = { external_id: "a-limit", name: "Limit", ...fields };
      const { status, body: answer } = await server().post(MERCHANTS, body);
      return status === 201 ? "taken" : problemPaths(answer.message);
    };
    for (const name of ["external_id", "name"]) {
      expect(await create({ external_id: `least-${name}`, [name]: name[0] })).toBe("taken");
      expect(await create({ external_id: `most-${name}`, [name]: name[0]!.repeat(200) })).toBe("taken");
      expect(await create({ [name]: "x".repeat(201) })).toEqual([name]);
      expect(await create({ [name]: "" })).toEqual([name]);
    }
  });

  test("Merchant external_id, name: counted in characters, so that accepted values can be searched", async () => {
    const externalId = "😀".repeat(200);
    const { status, body } = await server().post(MERCHANTS, {
      external_id: externalId,
      name: "😀".repeat(200),
    });
    expect(status).toBe(201);
    const found = await server().read(`${MERCHANTS}?external_id=${encodeURIComponent(externalId)}`);
    expect(found).toEqual([body.data]);
  });

  test("Page size: 1 to 100, default 10", async () => {
    await Promise.all(Array.from({ length: 11 }, () => server().addMerchant()));
    const size = async (query: string) => (await server().get(`${MERCHANTS}${query}`)).body.data?.length;
    expect([await size(""), await size("?limit=1")]).toEqual([10, 1]);
    expect(await size("?limit=100")).toBeGreaterThanOrEqual(12);
    for (const limit of [0, 101]) {
      const { status, body } = await server().get(`${MERCHANTS}?limit=${limit}`);
      expect([status, problemPaths(body.message)]).toEqual([400, ["limit"]]);
    }
  });

  test("Event type filter: 1 to 20 items", async () => {
    const filter = async (count: number) => {
      const query = Array.from({ length: count }, () => "type=merchant.created").join("&");
      return (await server().get(`${EVENTS}?${query}`)).status;
    };
    expect([await filter(1), await filter(20), await filter(21)]).toEqual([200, 200, 400]);
    expect((await server().get(`${EVENTS}?type=`)).status).toBe(400);
  });

  test("Request body: at most 4194304 bytes, which the error names", async () => {
    const sent = (bytes: number) =>
      server().post(`${DOCUMENTS}/preview`, undefined, { raw: `"${"x".repeat(bytes - 2)}"` });
    expect((await sent(4_194_304)).status).toBe(400);
    const { status, body } = await sent(4_194_305);
    expect([status, body.code]).toEqual([413, "payload_too_large"]);
    expect(body.message).toContain("4194304");
  });

  test("Logged bodies: truncated over 64 KB, counted in bytes", async () => {
    const kept = async (bytes: number) => {
      const headers = { "x-request-id": `of-${bytes}-bytes` };
      // Two bytes per character, and two for the quotes.
      const raw = JSON.stringify("ώ".repeat((bytes - 2) / 2));
      await server().post(`${DOCUMENTS}/preview`, undefined, { raw, headers });
      const [{ id }] = await server().readLog(`request_id=client:of-${bytes}-bytes`);
      return (await server().read(`${REQUESTS}/${id}`)).request.body as string;
    };
    expect(await kept(65_536)).toBe("ώ".repeat(32_767));
    const cut = await kept(65_538);
    expect(cut.slice(-30)).toBe(`${"ώ".repeat(4)}… [truncated, 65538 bytes]`);
    expect(Buffer.byteLength(cut.slice(0, -26))).toBeLessThanOrEqual(65_536);
  });

  test("Rate limit: reported with every response, by default 1000 in 10 seconds per key", async () => {
    const own = await openSpecServer({ env: { FISCAL_RATE_LIMIT__REQUESTS: "1000" } });
    try {
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
    } finally {
      await own.close();
    }
  });
});
