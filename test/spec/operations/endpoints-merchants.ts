// docs/contract.md#statuses-by-operation
import { describe, expect, test } from "vitest";
import { problemPaths } from "../helpers/canonical.ts";
import { EVENTS, MERCHANTS, useServer } from "../helpers/bench.ts";

const server = useServer();

describe("POST /api/v1/merchants", () => {
  test("201 with the merchant, visible to test and live keys", async () => {
    const sent = { external_id: "both", name: "Both", tax_id: "094012834", branch: 3, metadata: { a: "b" } };
    const { status, body } = await server().post(MERCHANTS, sent);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ ...sent, object: "merchant", archived: false });
    for (const key of [server().testKey, server().liveKey])
      expect(await server().read(`${MERCHANTS}/${body.data.id}`, { key })).toEqual(body.data);
  });

  test("external_id and name are required, the rest is optional, and nothing else is accepted", async () => {
    const { body } = await server().post(MERCHANTS, {});
    expect(problemPaths(body.message)).toEqual(["external_id", "name"]);
    const least = await server().post(MERCHANTS, { external_id: "least", name: "Least" });
    expect(least.body.data).toMatchObject({ tax_id: null, branch: 0, metadata: {} });
    for (const name of ["colour", "id", "archived", "object"]) {
      const more = await server().post(MERCHANTS, { external_id: "more", name: "More", [name]: "x" });
      expect([more.status, problemPaths(more.body.message)]).toEqual([400, [name]]);
    }
  });

  test("emits merchant.created, with the call that caused it, in that key's mode", async () => {
    const headers = { "idempotency-key": "told-1", "x-request-id": "told-request" };
    const sent = { key: server().liveKey, headers };
    const { body } = await server().post(MERCHANTS, { external_id: "told", name: "Told" }, sent);
    const about = `${EVENTS}?merchant=${body.data.id}`;
    expect(await server().read(about)).toEqual([]);
    const events = await server().read(about, { key: server().liveKey });
    expect(events).toMatchObject([
      {
        type: "merchant.created",
        livemode: true,
        data: { object: body.data },
        request: { id: "client:told-request", idempotency_key: "told-1" },
      },
    ]);
  });

  test("a replay returns the first response, even after the merchant was changed", async () => {
    const sent = { headers: { "idempotency-key": "again" } };
    const body = { external_id: "again", name: "Again" };
    const first = await server().post(MERCHANTS, body, sent);
    await server().request("PATCH", `${MERCHANTS}/${first.body.data.id}`, { body: { name: "Changed" } });
    const again = await server().post(MERCHANTS, body, sent);
    expect([again.status, again.text, again.headers.get("idempotent-replayed")]).toEqual([
      201,
      first.text,
      "true",
    ]);
    expect((await server().read(`${MERCHANTS}/${first.body.data.id}`)).name).toBe("Changed");
  });

  test("a taken external_id, compared ignoring case: 409 already_exists", async () => {
    await server().post(MERCHANTS, { external_id: "Ωmega", name: "First" });
    for (const externalId of ["Ωmega", "ωMEGA", " ωmega "]) {
      const { status, body } = await server().post(MERCHANTS, { external_id: externalId, name: "Second" });
      expect([status, body.code, body.retryable]).toEqual([409, "already_exists", false]);
    }
    expect(await server().read(`${MERCHANTS}?external_id=ωmega`)).toHaveLength(1);
  });
});

describe("GET /api/v1/merchants/{id}", () => {
  test("200 with the merchant", async () => {
    const { merchant } = server();
    expect(await server().read(`${MERCHANTS}/${merchant}`)).toMatchObject({
      id: merchant,
      external_id: "shop",
    });
  });
});
