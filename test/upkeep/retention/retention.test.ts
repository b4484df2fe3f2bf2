// docs/contract.md#limits: Disconnected connection
import { expect, test } from "vitest";
import { findListingWindowsAfter, storeListingWindow } from "../../../storage/documents/dated-documents.ts";
import { rewriteDocumentError } from "../../../storage/journal/event-notes.ts";
import { deleteExpiredData } from "../../../src/upkeep/retention/retention.ts";
import { buildIssueBody } from "../../helpers/appliance.ts";
import { CONNECT, openConnectingServer, REFUSED } from "../../helpers/connecting.ts";
import { forEachTest } from "../../helpers/set-up.ts";

const DAY_MS = 86_400_000;

const server = forEachTest(() => openConnectingServer({ env: { FISCAL_RATE_LIMIT__REQUESTS: "0" } }));

async function issue(scene?: string): Promise<string> {
  const extra = { provider: "sandbox", ...(scene === undefined ? {} : { metadata: { sandbox: scene } }) };
  const { body } = await server.post("/api/v1/documents", buildIssueBody(server.merchant, extra));
  await server.settle();
  return body.data.id;
}

/** Runs retention `days` later. */
async function night(days: number) {
  await server.appliance.store.flush();
  server.advance(days * DAY_MS);
  return deleteExpiredData(server.appliance);
}

const get = async (path: string) => (await server.get(`/api/v1/${path}`)).body;

async function requestsOf(document: string) {
  const { data } = await get(`requests?document=${document}`);
  return Promise.all(data.map(async ({ id }: { id: string }) => (await get(`requests/${id}`)).data));
}

async function callsOf(document: string) {
  const { data } = await get(`provider_calls?document=${document}`);
  return Promise.all(data.map(async ({ id }: { id: string }) => (await get(`provider_calls/${id}`)).data));
}

test("keeps bodies of requests for 30 days, of provider calls for 90, and their rows for 400", async () => {
  const id = await issue();
  await night(29);
  expect((await requestsOf(id))[0]).toMatchObject({ bodies_purged_at: null, status: 201 });

  expect((await night(1.01)).request_bodies).toBeGreaterThan(0);
  const [request] = await requestsOf(id);
  expect(request).toMatchObject({ request: null, response: null, bodies_unreadable: false, status: 201 });
  expect(request.bodies_purged_at).toMatch(/^2026-12-21/);
  expect((await callsOf(id))[0]).toMatchObject({ bodies_purged_at: null, response: { status: 200 } });

  expect((await night(60)).provider_bodies).toBe(2);
  expect((await callsOf(id))[0]).toMatchObject({
    request: null,
    response: null,
    bodies_purged_at: expect.stringMatching(/^2027-02-19/),
    bodies_withheld: false,
    outcome: "ok",
  });
  expect((await night(0)).provider_bodies).toBe(0);

  expect((await night(310)).provider_calls).toBe(2);
  expect(await callsOf(id)).toEqual([]);
  expect(await requestsOf(id)).toEqual([]);
  expect((await get(`documents/${id}`)).data).toMatchObject({ status: "issued" });
  expect((await get(`documents/${id}`)).data.timeline.length).toBe(2);
});

test("keeps the calls of a pending document, which are the evidence of what was sent", async () => {
  const id = await issue("pending");
  const calls = await callsOf(id);
  expect(calls.length).toBeGreaterThan(0);

  expect((await night(401)).provider_calls).toBe(0);
  expect((await callsOf(id)).map((call) => call.id)).toEqual(calls.map((call) => call.id));
});

test("removes provider messages together with the bodies: from documents, events and calls", async () => {
  const id = await issue("rejected");
  const errors = async () => {
    const { data: document } = await get(`documents/${id}`);
    const { data: events } = await get(`events?document=${id}&type=document.rejected`);
    const [call] = await callsOf(id);
    return [document.error, events[0].data.object.error, call.error];
  };
  for (const error of await errors()) expect(error.provider_message).toEqual(expect.any(String));
  await night(92);
  for (const error of await errors()) {
    expect(error).toMatchObject({ code: "provider_rejected", provider_message: null });
    expect(error.provider_code).toEqual(expect.any(String));
    expect(error).not.toHaveProperty("provider_raw");
  }
});

test("removes the message of an old failure from the previous attributes of a newer retry", async () => {
  const id = await issue("unavailable");
  for (const seconds of [12, 70, 340]) {
    server.advance(seconds * 1000);
    await server.settle();
  }
  expect((await get(`documents/${id}`)).data.status).toBe("failed");
  const error = { ...(await get(`documents/${id}`)).data.error, provider_message: "the provider's message" };
  await server.appliance.store.write((trx) =>
    rewriteDocumentError(trx, { id, error_json: JSON.stringify(error) }),
  );
  server.advance(60 * DAY_MS);
  await server.post(`/api/v1/documents/${id}/retry`, {});
  await server.settle();
  const retried = async () => (await get(`events?document=${id}&type=document.retried`)).data[0];
  expect((await retried()).data.previous_attributes.error.provider_message).toBe("the provider's message");
  await night(32);
  expect((await retried()).data.previous_attributes.error).toMatchObject({ provider_message: null });
});

test("removes provider messages from connections and their events", async () => {
  server.answer(REFUSED);
  const { body } = await server.post(`/api/v1/merchants/${server.merchant}/connections`, CONNECT);
  await night(92);
  expect((await get(`connections/${body.data.id}`)).data.last_error).toMatchObject({
    provider_code: "401",
    provider_message: null,
  });
  const { data } = await get("events?type=connection.invalid&type=connection.created");
  for (const event of data) expect(event.data.object.last_error.provider_message).toBeNull();
});

test("deletes credentials 30 days after the disconnection", async () => {
  const id = await server.connect();
  await server.post(`/api/v1/connections/${id}/disconnect`, undefined);
  expect((await night(29)).credentials).toBe(0);
  expect((await night(1.01)).credentials).toBe(1);
  expect((await get(`connections/${id}`)).data.status).toBe("disconnected");
});

test("idempotency keys of documents are kept forever, others for 90 days", async () => {
  const headers = { "idempotency-key": "same" };
  const body = buildIssueBody(server.merchant, { provider: "sandbox" });
  const document = await server.post("/api/v1/documents", body, { headers });
  const merchant = { external_id: "other", name: "Άλλη" };
  await server.post("/api/v1/merchants", merchant, { headers });
  await night(89);
  expect(
    (await server.post("/api/v1/merchants", merchant, { headers })).headers.get("idempotent-replayed"),
  ).toBe("true");
  await night(2);
  expect((await server.post("/api/v1/merchants", merchant, { headers })).body.code).toBe("already_exists");
  await night(1000);
  const again = await server.post("/api/v1/documents", body, { headers });
  expect(again.text).toBe(document.text);
});

test("keeps events for 400 days, and those of documents forever", async () => {
  const id = await issue();
  await night(399);
  expect((await get(`events?merchant=${server.merchant}&type=merchant.created`)).data.length).toBe(1);
  expect((await night(2)).events).toBe(1);
  const { data } = await get("events?limit=100");
  expect(data.map(({ type }: { type: string }) => type)).toEqual(["document.issued", "document.created"]);
  expect((await get(`documents/${id}`)).data.timeline.length).toBe(2);
});

test("deletes what an interrupted comparison with a provider read more than an hour ago", async () => {
  const { store } = server.appliance;
  await store.write((trx) =>
    storeListingWindow(trx, { name: "old", content_json: "{}", read_at: server.appliance.clock.now() }),
  );
  const isKept = async () =>
    (await findListingWindowsAfter(store.read, { after: "", limit: 10 })).length === 1;
  await night(1 / 24);
  expect(await isKept()).toBe(true);
  expect((await night(1 / 86_400)).listing_windows).toBe(1);
  expect(await isKept()).toBe(false);
});
