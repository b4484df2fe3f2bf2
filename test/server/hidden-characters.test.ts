/** Names and addresses contain no character that is invisible and steers a terminal or the direction of text. */
import { describe, expect, test } from "vitest";
import { createKey } from "../../src/keys/api-keys.ts";
import { buildIssueBody } from "../helpers/appliance.ts";
import { openServer } from "../helpers/http.ts";
import { forAllTests } from "../helpers/set-up.ts";

const server = forAllTests(openServer);

const HIDDEN = ["\u007f", "\u0080", "\u0085", "\u009b", "\u009f", "\u202a", "\u202e", "\u2066", "\u2069"];

// docs/contract.md#control-characters-in-names
describe.each(HIDDEN)("%j", (hidden) => {
  const text = `A${hidden}B`;

  test.each(["name", "external_id"])("is rejected in a merchant's %s", async (field) => {
    const body = { external_id: "m", name: "M", tax_id: "123456783", [field]: text };
    const { status, body: error } = await server.post("/api/v1/merchants", body);
    expect(status).toBe(400);
    expect(JSON.stringify(error)).toContain(`${field}: must not hold invisible`);
  });

  test("is rejected in a document's external reference and in the name and city of its customer", async () => {
    const body = buildIssueBody(server.merchant);
    const customer = {
      tax_id: { country: "GR", code: "094014201" },
      name: text,
      address: { postal_code: "10431", city: text },
    };
    const { status, body: error } = await server.post("/api/v1/documents", {
      ...body,
      external_reference: text,
      document: { ...(body["document"] as object), customer },
    });
    expect(status).toBe(400);
    expect(JSON.stringify(error)).toMatch(/external_reference/);
    expect(JSON.stringify(error)).toMatch(/customer\.name/);
    expect(JSON.stringify(error)).toMatch(/city/);
  });

  test("is rejected in a key's name", async () => {
    await expect(createKey(server.appliance, { mode: "test", name: text })).rejects.toThrow("invisible");
  });
});

test.each(["\n", "\r\n", "\v", "\f", "\u2028", "\u2029"])(
  "a merchant's name with %j is rejected",
  async (separator) => {
    const body = { external_id: "m", name: `A${separator}B`, tax_id: "123456783" };
    const { status, body: error } = await server.post("/api/v1/merchants", body);
    expect([status, JSON.stringify(error)]).toEqual([400, expect.stringContaining("name: must be one line")]);
  },
);

const MARKS = ["\u061c", "\u200e", "\u200f"];

describe.each(MARKS)("the direction mark %j", (mark) => {
  const text = `${mark}A${mark} B${mark}`;

  test("is removed from a merchant's name and external_id, before the length counts", async () => {
    const long = "x".repeat(200);
    const body = { external_id: `${mark}${mark}${long}`, name: `${mark} ${text} `, tax_id: "123456783" };
    const { status, body: created } = await server.post("/api/v1/merchants", body);
    expect(status === 201 ? created.data : created).toMatchObject(
      status === 201 ? { external_id: long, name: "A B" } : { code: "already_exists" },
    );
  });

  test("is removed from a document's external reference and from its customer", async () => {
    const body = buildIssueBody(server.merchant);
    const address = { postal_code: `10${mark}431`, city: text };
    const customer = { tax_id: { country: "GR", code: "094014201" }, name: text, address };
    const { status, body: made } = await server.post("/api/v1/documents", {
      ...body,
      external_reference: text,
      document: { ...(body["document"] as object), customer },
    });
    expect(status).toBe(201);
    expect(made.data.external_reference).toBe("A B");
    const { body: contents } = await server.get(`/api/v1/documents/${made.data.id}/contents`);
    expect(contents.data.document.customer).toMatchObject({
      name: "A B",
      address: { postal_code: "10431", city: "A B" },
    });
  });

  test("is removed from a key's name", async () => {
    expect(await createKey(server.appliance, { mode: "test", name: text })).toMatchObject({ name: "A B" });
  });

  test("alone leaves nothing, which is rejected", async () => {
    const merchant = { external_id: mark, name: ` ${mark}`, tax_id: "123456783" };
    const { status, body } = await server.post("/api/v1/merchants", merchant);
    expect(status).toBe(400);
    expect(body.message).toMatch(/external_id: must have 1 to 200 characters.*name: must have 1 to 200/);
    await expect(createKey(server.appliance, { mode: "test", name: mark })).rejects.toThrow("name");
  });
});

test("ordinary letters of any script are accepted", async () => {
  const body = { external_id: "ok", name: "Παράδειγμα Ñandú 店 مثال", tax_id: "123456783" };
  expect((await server.post("/api/v1/merchants", body)).status).toBe(201);
});
