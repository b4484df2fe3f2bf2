/** See docs/contract.md#settings-per-mode and docs/contract.md#test-keys-and-live-merchants. */
import { describe, expect, test } from "vitest";
import { CONNECT, openConnectingServer } from "../helpers/connecting.ts";
import { forEachTest } from "../helpers/set-up.ts";

const server = forEachTest(openConnectingServer);

const one = () => `/api/v1/merchants/${server.merchant}`;
const live = () => ({ key: server.liveKey });

async function connectLive(): Promise<string> {
  const { status, body } = await server.post(`${one()}/connections`, CONNECT, live());
  expect(status).toBe(201);
  return body.data.id;
}

async function issue(sent: { key?: string } = {}): Promise<{ id: string; letterhead: number }> {
  const { status, body } = await server.issue({}, sent);
  expect(status).toBe(201);
  const { id } = body.data;
  const [input] = await server.appliance.store.read.query((db) =>
    db.selectFrom("document_inputs").select("letterhead_id").where("document_id", "=", id),
  );
  return { id, letterhead: input!.letterhead_id! };
}

describe("settings", () => {
  const put = (body: unknown, sent = {}) => server.request("PUT", `${one()}/settings`, { body, ...sent });
  const get = async (sent = {}) => await server.read(`${one()}/settings`, sent);

  test("are read and replaced for the key's mode only", async () => {
    await put({ paper: { phone: "1" } });
    await put({ paper: { phone: "2" } }, live());
    expect(await get()).toMatchObject({ paper: { phone: "1" } });
    expect(await get(live())).toMatchObject({ paper: { phone: "2" } });
  });

  test("of the document's mode decide its classification, series, number and letterhead", async () => {
    await connectLive();
    await put({
      classification: { "1.1": { category: "category1_2", type: "E3_561_001" } },
      numbering: { "1.1": { series: "TEST", next_number: 40 } },
      paper: { phone: "1" },
    });
    await put({ numbering: { "1.1": { series: "LIVE", next_number: 7 } } }, live());
    const ids = [await issue(), await issue(live())] as const;
    expect(ids[0].letterhead).not.toBe(ids[1].letterhead);
    expect((await issue()).letterhead).toBe(ids[0].letterhead);
    await server.settle();
    const documents = [
      await server.read(`/api/v1/documents/${ids[0].id}`),
      await server.read(`/api/v1/documents/${ids[1].id}`, live()),
    ];
    expect(documents).toMatchObject([
      { series: "TEST", number: 40, classification: { source: "override" } },
      { series: "LIVE", number: 7, classification: { source: "default" } },
    ]);
  });

  test("of one mode leave the letterhead of the other as it is; a new name gives both a new one", async () => {
    await connectLive();
    const before = [await issue(), await issue(live())] as const;
    await put({ paper: { phone: "2" } }, live());
    const after = [await issue(), await issue(live())] as const;
    expect(after[0].letterhead).toBe(before[0].letterhead);
    expect(after[1].letterhead).not.toBe(before[1].letterhead);
    await server.request("PATCH", one(), { body: { name: "Νέα Α.Ε." }, ...live() });
    expect((await issue()).letterhead).not.toBe(after[0].letterhead);
    expect((await issue(live())).letterhead).not.toBe(after[1].letterhead);
  });
});

describe("once a merchant is live", () => {
  const patch = (body: unknown, sent = {}) => server.request("PATCH", one(), { body, ...sent });
  const post = (verb: string, sent = {}) => server.request("POST", `${one()}/${verb}`, sent);

  test.each([{ name: "Νέα Α.Ε." }, { tax_id: "094012834" }, { tax_id: null }, { branch: 2 }])(
    "a test key cannot change it to %o, and a live key can",
    async (body) => {
      await connectLive();
      const before = await server.read(one());
      const refused = await patch({ ...body, metadata: { a: "1" } });
      expect([refused.status, refused.body.code, refused.body.retryable]).toEqual([
        409,
        "invalid_state",
        false,
      ]);
      expect(await server.read(one())).toEqual(before);
      expect((await patch(body, live())).body.data).toMatchObject(body);
    },
  );

  test("a test key can neither archive nor unarchive it", async () => {
    await connectLive();
    expect(await post("archive")).toMatchObject({ status: 409, body: { code: "invalid_state" } });
    expect(await post("unarchive")).toMatchObject({ status: 200 });
    expect((await post("archive", live())).body.data.archived).toBe(true);
    expect((await post("unarchive")).status).toBe(409);
  });

  test("a test key still changes external_id and metadata, and may repeat the present values", async () => {
    await connectLive();
    const { name } = await server.read(one());
    const body = { external_id: "renamed", metadata: { a: "1" }, name };
    expect(await patch(body)).toMatchObject({ status: 200, body: { data: body } });
  });

  test("it remains so after its connection is disconnected", async () => {
    await server.request("POST", `/api/v1/connections/${await connectLive()}/disconnect`, live());
    expect((await patch({ name: "x" })).status).toBe(409);
  });

  test("a connection of the test mode protects nothing", async () => {
    await server.connect();
    await issue();
    expect((await patch({ name: "x" })).status).toBe(200);
  });
});
