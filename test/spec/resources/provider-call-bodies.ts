// docs/contract.md#provider-calls
import { describe, expect, test } from "vitest";
import { CALLS, CONNECT, type Json, useServer } from "../helpers/bench.ts";
import { ORIGIN } from "../helpers/played-provider.ts";

let issued: Json;
let lost: Json;
let login: Json;

const REFUSED = { ...CONNECT, credentials: { user_id: "refused-user", subscription_key: "secret-key" } };
const server = useServer({}, async (opened) => {
  const callOf = async (metadata: Record<string, string>) => {
    const { id } = await opened.finished(metadata);
    return (await opened.read(`${CALLS}?document=${id}`)).at(-1);
  };
  await opened.connect();
  login = (await opened.read(CALLS)).find(({ purpose }: Json) => purpose === "auth");
  issued = await callOf({});
  lost = await callOf({ play: "lost", later: "away" });
  await opened.connect(await opened.addMerchant(), {}, REFUSED);
});

const detail = (call: Json) => server().read(`${CALLS}/${call.id}`);

describe("Single retrieval", () => {
  test("adds request and response, without credentials, with headers and the full URL", async () => {
    const call = await detail(issued);
    expect(Object.keys(call).slice(Object.keys(issued).length)).toEqual([
      "request",
      "response",
      "bodies_purged_at",
      "bodies_unreadable",
      "bodies_withheld",
    ]);
    expect(call.request).toMatchObject({
      method: "POST",
      url: expect.stringMatching(`^${ORIGIN}/send\\?key=`),
      headers: { "content-type": "application/json", authorization: "[redacted]", "user-agent": "nnnn" },
      body: { number: 1, keys: ["[redacted]", "[redacted]"] },
    });
    expect(Object.keys(call.request)).toEqual(["method", "url", "headers", "body"]);
    expect(call.response).toEqual({
      status: 200,
      headers: { "content-type": "application/json", etag: "1" },
      body: { text: "t".repeat(9) },
    });
    expect(JSON.stringify(call)).not.toMatch(/user-of-the-shop|key-of-the-shop/);
    expect([call.bodies_purged_at, call.bodies_unreadable, call.bodies_withheld]).toEqual([
      null,
      false,
      false,
    ]);
  });

  test("a request without a response has its error, and no response", async () => {
    const { request, response } = await detail(lost);
    expect([request.error, response]).toEqual(["the provider did not answer in time", null]);
  });

  test("a login has no bodies: they are withheld", async () => {
    const call = await detail(login);
    expect([call.request, call.response, call.bodies_withheld]).toEqual([null, null, true]);
  });

  test("a body is parsed JSON up to 64 KB; a longer one is text that ends in a note with its size", async () => {
    const bodyOf = async (bytes: number) => {
      const { id } = await server().finished({ body_bytes: String(bytes) });
      const [call] = await server().read(`${CALLS}?document=${id}`);
      return (await detail(call)).response.body;
    };
    expect((await bodyOf(65_536)).text).toHaveLength(65_525);
    const cut = await bodyOf(65_537);
    expect([cut.slice(0, 10), cut.slice(-27)]).toEqual(['{"text":"t', '"… [truncated, 65537 bytes]']);
    expect(cut).toHaveLength(65_536 + 26);
  });

  test("a side whose headers are too large is an object with only the key omitted", async () => {
    const { id } = await server().finished({ header_bytes: "70000" });
    const [call] = await server().read(`${CALLS}?document=${id}`);
    const { request, response } = await detail(call);
    expect(Object.keys(request)).toEqual(["omitted"]);
    expect(response.status).toBe(200);
  });

  test("unreadable bodies are null, and reported as unreadable", async () => {
    const { id } = await server().finished({});
    const [call] = await server().read(`${CALLS}?document=${id}`);
    server().spoilBody(call.id);
    const spoilt = await detail(call);
    expect([spoilt.request, spoilt.response, spoilt.bodies_unreadable]).toEqual([null, null, true]);
    expect(spoilt).toMatchObject(call);
  });
});
