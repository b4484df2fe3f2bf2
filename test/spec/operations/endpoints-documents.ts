// docs/contract.md#statuses-by-operation
import { describe, expect, test } from "vitest";
import { buildIssueBody } from "../../helpers/appliance.ts";
import { buildDocument, changed, problemPaths } from "../helpers/canonical.ts";
import {
  CONNECT,
  DOCUMENTS,
  EVENTS,
  idForm,
  type Json,
  MERCHANTS,
  noId,
  useServer,
} from "../helpers/bench.ts";

const server = useServer();
const PROVIDER_A = { provider: "provider_a", credentials: { api_key: "k", email: "shop@example.com" } };

async function codeOf(merchant: string, extra: Record<string, unknown> = {}, sent = {}) {
  const { status, body } = await server().post(DOCUMENTS, buildIssueBody(merchant, extra), sent);
  return status === 201 ? body.data.provider : `${status} ${body.code}`;
}

describe("POST /api/v1/documents (issue a document)", () => {
  test("201 with the accepted document: pending, queued, its first event in the timeline", async () => {
    const { status, body } = await server().issue();
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      id: expect.stringMatching(idForm("doc")),
      merchant: server().merchant,
      status: "pending",
      stage: "queued",
      mark: null,
      uid: null,
      qr_url: null,
      error: null,
    });
    expect(body.data.timeline).toEqual([
      { id: expect.stringMatching(idForm("evt")), type: "document.created", created: body.data.created },
    ]);
    await server().settle();
    expect((await server().read(`${DOCUMENTS}/${body.data.id}`)).status).toBe("issued");
  });

  test("merchant and document are required, provider is optional and one of seven, and nothing else is accepted", async () => {
    const body = buildIssueBody(server().merchant);
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
      const { status, body: failure } = await server().post(DOCUMENTS, changed(body, [key], value));
      expect([status, failure.code]).toEqual([400, "validation_failed"]);
      expect(problemPaths(failure.message)).toEqual([key]);
    }
  });

  test("without provider: the mode's only active connection, or the sandbox for a test key without one", async () => {
    const merchant = await server().addMerchant();
    const live = { key: server().liveKey };
    expect(await codeOf(merchant)).toBe("sandbox");
    expect(await codeOf(merchant, {}, live)).toBe("422 connection_unavailable");
    await server().connect(merchant, live);
    expect([await codeOf(merchant), await codeOf(merchant, {}, live)]).toEqual([
      "sandbox",
      "registry_direct",
    ]);
    await server().connect(merchant, {}, PROVIDER_A);
    expect(await codeOf(merchant)).toBe("provider_a");
  });

  test("several active connections: provider is required, and used", async () => {
    const merchant = await server().addMerchant();
    await server().connect(merchant);
    await server().connect(merchant, {}, PROVIDER_A);
    const { status, body } = await server().post(DOCUMENTS, buildIssueBody(merchant));
    expect([status, problemPaths(body.message)]).toEqual([400, ["provider"]]);
    for (const provider of ["registry_direct", "provider_a", "sandbox"])
      expect(await codeOf(merchant, { provider })).toBe(provider);
  });

  test("a live key never reaches the sandbox", async () => {
    const live = { key: server().liveKey };
    expect(await codeOf(server().merchant, { provider: "sandbox" }, live)).toBe("422 not_supported");
  });

  test("a provider without a connection is rejected, with or without an adapter", async () => {
    const { merchant } = server();
    expect(await codeOf(merchant, { provider: "provider_b" })).toBe("422 connection_unavailable");
    expect(await codeOf(merchant, { provider: "provider_a" })).toBe("422 connection_unavailable");
  });

  test("an invalid or disconnected connection does not count", async () => {
    const merchant = await server().addMerchant();
    const credentials = { user_id: "refused", subscription_key: "k" };
    const { id } = await server().connect(merchant, {}, { ...CONNECT, credentials });
    const registry = { provider: "registry_direct" };
    expect(await codeOf(merchant, registry)).toBe("422 connection_unavailable");
    await server().post(`/api/v1/connections/${id}/disconnect`, undefined);
    expect(await codeOf(merchant, registry)).toBe("422 connection_unavailable");
  });
});

describe("GET /api/v1/documents/{id}", () => {
  test("200 with status, MARK once issued and the timeline", async () => {
    const { body } = await server().issue();
    const before = await server().read(`${DOCUMENTS}/${body.data.id}`);
    expect(before).toEqual(body.data);
    await server().settle();
    const after = await server().read(`${DOCUMENTS}/${body.data.id}`);
    expect(after).toMatchObject({ status: "issued", mark: expect.stringMatching(/^\d{15}$/) });
    expect(after.timeline.map(({ type }: Json) => type)).toEqual(["document.created", "document.issued"]);
  });
});

describe("POST /api/v1/documents/preview", () => {
  const preview = (document: unknown, query = "", sent = {}) =>
    server().post(`${DOCUMENTS}/preview${query}`, document, sent);

  test("200 with provider, type, totals, classification and the payload of the provider", async () => {
    const { status, body } = await preview(buildDocument("1.1"));
    expect(status).toBe(200);
    expect(Object.keys(body.data)).toEqual(["provider", "type", "totals", "classification", "payload"]);
    expect(body.data).toMatchObject({
      provider: "sandbox",
      type: "1.1",
      totals: { net: 833, vat: 200, gross: 1033 },
      classification: { source: "default" },
    });
    const [invoice] = body.data.payload.InvoicesDoc.invoice;
    expect(invoice.issuer).toMatchObject({ vatNumber: "123456783", country: "GR" });
  });

  test("sends and stores nothing", async () => {
    const counts = async () => {
      const lists = [DOCUMENTS, EVENTS, "/api/v1/provider_calls", MERCHANTS];
      return Promise.all(lists.map(async (path) => (await server().read(`${path}?limit=1`))[0]?.id));
    };
    await server().settle();
    const before = await counts();
    await preview(buildDocument("1.1"));
    await server().settle();
    expect(await counts()).toEqual(before);
  });

  test("rejects merchant and provider next to the document", async () => {
    for (const name of ["merchant", "provider", "document"]) {
      const { status, body } = await preview({ ...buildDocument("1.1"), [name]: "sandbox" });
      expect([status, problemPaths(body.message)]).toEqual([400, [name]]);
    }
  });

  test("the payload is the one sent later", async () => {
    const { body } = await preview(buildDocument("2.1"));
    const { id } = (await server().issue({ document: buildDocument("2.1") })).body.data;
    await server().settle();
    const calls = await server().read(`/api/v1/provider_calls?document=${id}`);
    const sent = calls.find(({ operation }: Json) => operation === "issue");
    const { request } = await server().read(`/api/v1/provider_calls/${sent.id}`);
    expect(request.body).toEqual(body.data.payload);
  });

  test("the provider is the requested one, else the merchant's only connection, else the mode's default", async () => {
    const providerOf = async (document: unknown, query = "", sent = {}) => {
      const { status, body } = await preview(document, query, sent);
      return status === 200 ? body.data.provider : `${status} ${body.code}`;
    };
    const document = buildDocument("1.1");
    const live = { key: server().liveKey };
    expect(await providerOf(document)).toBe("sandbox");
    expect(await providerOf(document, "", live)).toBe("registry_direct");
    expect(await providerOf(document, "?provider=provider_a")).toBe("provider_a");
    expect(await providerOf(document, "?provider=provider_b")).toBe("422 not_supported");
    expect(await providerOf(document, "?provider=sandbox", live)).toBe("422 not_supported");
    expect(await providerOf(document, "?provider=provider_f")).toBe("400 validation_failed");
    const merchant = await server().addMerchant({ tax_id: "094012834" });
    await server().connect(merchant, {}, PROVIDER_A);
    const own = changed(document, ["supplier", "tax_id", "code"], "094012834");
    const sold = changed(own, ["customer", "tax_id", "code"], "123456783");
    expect(await providerOf(sold)).toBe("provider_a");
  });
});
