// docs/contract.md#statuses-by-operation
import { describe, expect, test } from "vitest";
import { buildIssueBody } from "../../helpers/appliance.ts";
import { buildDocument, changed } from "../helpers/canonical.ts";
import {
  BY_EMAIL,
  DOCUMENTS,
  EVENTS,
  expectProblem,
  type Json,
  MERCHANTS,
  noId,
  useServer,
} from "../helpers/bench.ts";

const server = useServer();

async function codeOf(merchant: string, extra: Record<string, unknown> = {}, sent = {}) {
  const { status, body } = await server.issue({ merchant, ...extra }, sent);
  return status === 201 ? body.data.provider : `${status} ${body.code}`;
}

describe("POST /api/v1/documents (issue a document)", () => {
  test("merchant and document are required, provider is optional and one of seven, and nothing else is accepted", async () => {
    const body = buildIssueBody(server.merchant);
    for (const [key, value] of [
      ["merchant", undefined],
      ["merchant", "x"],
      ["merchant", noId("doc")],
      ["document", undefined],
      ["document", 7],
      ["provider", "provider_f"],
      ["provider", ""],
      ["colour", "red"],
    ] as const) {
      expect(expectProblem(await server.post(DOCUMENTS, changed(body, [key], value)), key)).toHaveLength(1);
    }
  });

  test("without provider: the mode's only active connection, or the sandbox for a test key without one", async () => {
    const merchant = await server.addMerchant();
    const live = { key: server.liveKey };
    expect(await codeOf(merchant)).toBe("sandbox");
    expect(await codeOf(merchant, {}, live)).toBe("422 connection_unavailable");
    await server.connect(merchant, live);
    expect([await codeOf(merchant), await codeOf(merchant, {}, live)]).toEqual([
      "sandbox",
      "registry_direct",
    ]);
    await server.connect(merchant, {}, BY_EMAIL);
    expect(await codeOf(merchant)).toBe("provider_a");
  });

  test("several active connections: provider is required, and used", async () => {
    const merchant = await server.addMerchant();
    await server.connect(merchant);
    await server.connect(merchant, {}, BY_EMAIL);
    expectProblem(await server.issue({ merchant }), "provider");
    for (const provider of ["registry_direct", "provider_a", "sandbox"])
      expect(await codeOf(merchant, { provider })).toBe(provider);
  });
});

describe("POST /api/v1/documents/preview", () => {
  const preview = (document: unknown, query = "", sent = {}) =>
    server.post(`${DOCUMENTS}/preview${query}`, document, sent);

  test("sends and stores nothing", async () => {
    const counts = async () => {
      const lists = [DOCUMENTS, EVENTS, "/api/v1/provider_calls", MERCHANTS];
      return Promise.all(lists.map(async (path) => (await server.read(`${path}?limit=1`))[0]?.id));
    };
    await server.settle();
    const before = await counts();
    await preview(buildDocument("1.1"));
    await server.settle();
    expect(await counts()).toEqual(before);
  });

  test("the payload is the one sent later", async () => {
    const { body } = await preview(buildDocument("2.1"));
    const { id } = (await server.issue({ document: buildDocument("2.1") })).body.data;
    await server.settle();
    const calls = await server.read(`/api/v1/provider_calls?document=${id}`);
    const sent = calls.find(({ operation }: Json) => operation === "issue");
    const { request } = await server.read(`/api/v1/provider_calls/${sent.id}`);
    expect(request.body).toEqual(body.data.payload);
  });

  test("the provider is the requested one, else the merchant's only connection, else the mode's default", async () => {
    const providerOf = async (document: unknown, query = "", sent = {}) => {
      const { status, body } = await preview(document, query, sent);
      return status === 200 ? body.data.provider : `${status} ${body.code}`;
    };
    const document = buildDocument("1.1");
    const live = { key: server.liveKey };
    expect(await providerOf(document)).toBe("sandbox");
    expect(await providerOf(document, "", live)).toBe("registry_direct");
    expect(await providerOf(document, "?provider=provider_a")).toBe("provider_a");
    expect(await providerOf(document, "?provider=provider_b")).toBe("422 not_supported");
    expect(await providerOf(document, "?provider=sandbox", live)).toBe("422 not_supported");
    expect(await providerOf(document, "?provider=provider_f")).toBe("400 validation_failed");
    const merchant = await server.addMerchant({ tax_id: "094012834" });
    await server.connect(merchant, {}, BY_EMAIL);
    const own = changed(document, ["supplier", "tax_id", "code"], "094012834");
    const sold = changed(own, ["customer", "tax_id", "code"], "123456783");
    expect(await providerOf(sold)).toBe("provider_a");
  });
});
