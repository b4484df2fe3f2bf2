// docs/contract.md#statuses-by-operation
import { describe, expect, test } from "vitest";
import { problemPaths } from "../helpers/canonical.ts";
import { MERCHANTS, useServer } from "../helpers/bench.ts";

const server = useServer();

describe("POST /api/v1/merchants", () => {
  test("external_id and name are required, the rest is optional, and nothing else is accepted", async () => {
    const { body } = await server.post(MERCHANTS, {});
    expect(problemPaths(body.message)).toEqual(["external_id", "name"]);
    const least = await server.post(MERCHANTS, { external_id: "least", name: "Least" });
    expect(least.body.data).toMatchObject({ tax_id: null, branch: 0, metadata: {} });
    for (const name of ["colour", "id", "archived", "object"]) {
      const more = await server.post(MERCHANTS, { external_id: "more", name: "More", [name]: "x" });
      expect([more.status, problemPaths(more.body.message)]).toEqual([400, [name]]);
    }
  });

  test("a replay returns the first response, even after the merchant was changed", async () => {
    const sent = { headers: { "idempotency-key": "again" } };
    const body = { external_id: "again", name: "Again" };
    const first = await server.post(MERCHANTS, body, sent);
    await server.request("PATCH", `${MERCHANTS}/${first.body.data.id}`, { body: { name: "Changed" } });
    const again = await server.post(MERCHANTS, body, sent);
    expect([again.status, again.text, again.headers.get("idempotent-replayed")]).toEqual([
      201,
      first.text,
      "true",
    ]);
    expect((await server.read(`${MERCHANTS}/${first.body.data.id}`)).name).toBe("Changed");
  });
});
