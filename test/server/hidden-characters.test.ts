/** Names and addresses contain no character that is invisible and steers a terminal or the direction of text. */
import { describe, expect, test } from "vitest";
import { createKey } from "../../src/keys/api-keys.ts";
import { buildIssueBody } from "../helpers/appliance.ts";
import { openServer } from "../helpers/http.ts";
import { forAllTests } from "../helpers/set-up.ts";

const server = forAllTests(openServer);

const addMerchant = (external_id: string, name: string) =>
  server.post("/api/v1/merchants", { external_id, name, tax_id: "123456783" });
const addKey = (name: string) => createKey(server.appliance, { mode: "test", name });

/** Issues a document with `text` as its reference and as the name and city of its customer. */
function issueWith(text: string, postal_code = "10431") {
  const body = buildIssueBody(server.merchant, { external_reference: text });
  const tax_id = { country: "GR", code: "094014201" };
  const customer = { tax_id, name: text, address: { postal_code, city: text } };
  Object.assign(body["document"] as object, { customer });
  return server.post("/api/v1/documents", body);
}

// docs/contract.md#control-characters-in-names
test.each(["\u007f", "\u0080", "\u0085", "\u009b", "\u009f", "\u202a", "\u202e", "\u2066", "\u2069"])(
  "%j is rejected in every name, reference and address",
  async (hidden) => {
    const text = `A${hidden}B`;
    const merchant = await addMerchant(text, text);
    const document = await issueWith(text);
    expect([merchant.status, document.status]).toEqual([400, 400]);
    for (const field of ["external_id", "name"])
      expect(merchant.body.message).toContain(`${field}: must not hold invisible`);
    for (const field of ["external_reference", "customer.name", "city"])
      expect(document.body.message).toContain(`${field}: must not hold invisible`);
    await expect(addKey(text)).rejects.toThrow("invisible");
  },
);

test.each(["\n", "\r\n", "\v", "\f", "\u2028", "\u2029"])(
  "a merchant's name with %j is rejected",
  async (separator) => {
    const { status, body } = await addMerchant("m", `A${separator}B`);
    expect([status, body.message]).toEqual([400, expect.stringContaining("name: must be one line")]);
  },
);

describe.each(["\u061c", "\u200e", "\u200f"])("the direction mark %j", (mark) => {
  const text = `${mark}A${mark} B${mark}`;

  test("is removed from every name, reference and address, before the length counts", async () => {
    const long = `${mark.codePointAt(0)}`.padEnd(200, "x");
    const merchant = await addMerchant(`${mark}${mark}${long}`, `${mark} ${text} `);
    expect(merchant.body.data).toMatchObject({ external_id: long, name: "A B" });
    const { body } = await issueWith(text, `10${mark}431`);
    expect(body.data.external_reference).toBe("A B");
    const { body: contents } = await server.get(`/api/v1/documents/${body.data.id}/contents`);
    const address = { postal_code: "10431", city: "A B" };
    expect(contents.data.document.customer).toMatchObject({ name: "A B", address });
    expect(await addKey(text)).toMatchObject({ name: "A B" });
  });

  test("alone leaves nothing, which is rejected", async () => {
    const { status, body } = await addMerchant(mark, ` ${mark}`);
    expect(status).toBe(400);
    expect(body.message).toMatch(/external_id: must have 1 to 200 characters.*name: must have 1 to 200/);
    await expect(addKey(mark)).rejects.toThrow("name");
  });
});

test("ordinary letters of any script are accepted", async () => {
  expect((await addMerchant("ok", "Παράδειγμα Ñandú 店 مثال")).status).toBe(201);
});
