import { beforeEach, describe, expect, test } from "vitest";
import { buildErrorObject } from "../../src/foundation/errors.ts";
import type { PdfOutcome } from "../../src/domain/provider-adapter.ts";
import { readPaper } from "../../src/paper/document-pdf.ts";
import { findDocumentRow } from "../../storage/documents/documents.ts";
import { CONNECT, openConnectingServer } from "../helpers/connecting.ts";
import { openServer, expectError } from "../helpers/http.ts";
import { buildDocument, buildLine, CUSTOMERS } from "../helpers/documents.ts";
import { hasPdfTools, withPdf } from "../helpers/pdf-tools.ts";
import { buildPng } from "../helpers/pictures.ts";
import { sameInBoth } from "../../src/foundation/text.ts";
import { closing, forEachTest } from "../helpers/set-up.ts";

const DOCUMENTS = "/api/v1/documents";

const pdfOf = (id: string) => `${DOCUMENTS}/${id}/pdf`;

describe("our own PDF", () => {
  const server = forEachTest(openServer);

  const issued = async (extra = {}): Promise<string> => (await server.issued(extra)).id;

  const setPaper = (paper: unknown) =>
    server.request("PUT", `/api/v1/merchants/${server.merchant}/settings`, { body: { paper } });

  test("is a named file with the same bytes every time", async () => {
    const id = await issued();
    const { status, headers, bytes } = await server.get(pdfOf(id));
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/pdf");
    expect(headers.get("content-disposition")).toBe('inline; filename="TIM-1.pdf"');
    expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
    expect((await server.get(pdfOf(id))).bytes.equals(bytes)).toBe(true);
  });

  test("is a receipt of 80 mm if the caller asks for it or the merchant's settings say so", async () => {
    const [retail, invoice] = [await issued({ document: buildDocument("11.1") }), await issued()];
    const widthOf = async (path: string) => {
      const text = (await server.get(path)).bytes.toString("latin1");
      return Number(/MediaBox \[0 0 ([\d.]+)/.exec(text)?.[1]);
    };
    const [A4, ROLL] = [595.28, 226.77];
    expect(await widthOf(pdfOf(retail))).toBe(A4);
    expect(await widthOf(`${pdfOf(retail)}?format=receipt`)).toBe(ROLL);
    expect((await setPaper({ receipt: true })).status).toBe(200);
    expect(await widthOf(pdfOf(retail))).toBe(ROLL);
    expect(await widthOf(`${pdfOf(retail)}?format=a4`)).toBe(A4);
    expect(await widthOf(pdfOf(invoice))).toBe(A4);
    expectError(await server.get(`${pdfOf(invoice)}?format=receipt`), 400, "validation_failed", "11.x");
  });

  test.skipIf(!hasPdfTools)("has the merchant's stationery, and shows a cancellation", async () => {
    const id = await issued();
    const logo = `data:image/png;base64,${buildPng({ width: 40, height: 20 }).toString("base64")}`;
    const paper = {
      address: "Ερμού 12, Αθήνα",
      phone: "2101234567",
      email: "a@b.example",
      logo,
      language: "en",
    };
    expect((await setPaper(paper)).body.data.paper).toEqual(paper);
    const { body } = await server.request("POST", `${DOCUMENTS}/${id}/cancel`);
    withPdf((await server.get(pdfOf(id))).bytes, ({ text, problems }) => {
      expect(problems).toBe("");
      for (const words of ["Ερμού 12, Αθήνα", "Phone 2101234567", "a@b.example", "CANCELLED 21/11/2026"])
        expect(text).toContain(words);
      expect(text).toContain(body.data.cancellation_mark);
    });
  });

  test.skipIf(!hasPdfTools)("keeps the merchant's name and stationery as of acceptance", async () => {
    const rename = (name: string) =>
      server.request("PATCH", `/api/v1/merchants/${server.merchant}`, { body: { name } });
    // Its supplier has no name of its own.
    const document = buildDocument("1.1");
    await setPaper({ address: "Ερμού 12, Αθήνα", color: "#112233" });
    await rename("Παλαιά Α.Ε.");
    const old = (await server.issue({ document })).body.data.id;
    expect((await setPaper({ address: "Τσιμισκή 3, Θεσσαλονίκη" })).status).toBe(200);
    await rename("Νέα Α.Ε.");
    const young = await issued({ document });
    const { bytes } = await server.get(pdfOf(old));
    withPdf(bytes, ({ text }) => {
      expect(text).toContainAll("Παλαιά Α.Ε.", "Ερμού 12, Αθήνα");
    });
    withPdf((await server.get(pdfOf(young))).bytes, ({ text }) => {
      expect(text).toContainAll("Νέα Α.Ε.", "Τσιμισκή 3, Θεσσαλονίκη");
      expect(text).not.toContain("Παλαιά");
    });
    await setPaper({});
    expect((await server.get(pdfOf(old))).bytes.equals(bytes)).toBe(true);
  });

  test("stores each version of the stationery once, however often settings return to it", async () => {
    for (const color of ["#111111", "#222222", "#111111"]) {
      await setPaper({ color });
      await issued();
      await issued();
    }
    const kept = await server.appliance.store.read.query((db) => db.selectFrom("letterheads").select("id"));
    expect(kept).toHaveLength(2);
  });

  test.skipIf(!hasPdfTools)("of a credit note names the invoice that was issued here", async () => {
    const original = await server.issued();
    const marks = [original.mark, "400001234567890"];
    const credit = await issued({ document: buildDocument("5.1", { original_marks: marks }) });
    withPdf((await server.get(pdfOf(credit))).bytes, ({ text }) => {
      expect(text).toContain(`TIM 1, 02/11/2026, ΜΑΡΚ / MARK ${original.mark}`);
      expect(text).toContain("ΜΑΡΚ / MARK 400001234567890");
    });
  });

  test.each([
    ["rejected", false],
    ["unavailable", true],
  ])("is unavailable for a document that is %s; retrying may help: %s", async (sandbox, retryable) => {
    const { id } = (await server.issue({ metadata: { sandbox } })).body.data;
    for (let pause = 0; pause < 4; pause += 1) {
      await server.settle();
      server.advance(400_000);
    }
    const { status, body } = await server.get(pdfOf(id));
    expect([status, body.code, body.retryable]).toEqual([409, "pdf_not_ready", retryable]);
  });

  test("is logged as a request without its bytes, and not as a provider call", async () => {
    const id = await issued();
    const before = (await server.read(`/api/v1/provider_calls?document=${id}`)).length;
    await server.get(pdfOf(id));
    await server.appliance.store.flush();
    const { data } = (await server.get("/api/v1/requests?operation_id=getDocumentPdf")).body;
    expect(data).toMatchObject([{ path: "/api/v1/documents/{id}/pdf", status: 200, document: id }]);
    const detail = await server.read(`/api/v1/requests/${data[0].id}`);
    expect(detail.response).toMatchObject({ status: 200, body: null });
    expect(await server.read(`/api/v1/provider_calls?document=${id}`)).toHaveLength(before);
  });
});

test.each(["test", "live"] as const)(
  "in %s mode, the paper shows what was accepted and registered",
  async (mode) => {
    await using server = await closing(openConnectingServer());
    const sent = { key: mode === "test" ? server.testKey : server.liveKey };
    const merchant = `/api/v1/merchants/${server.merchant}`;
    await server.post(`${merchant}/connections`, CONNECT, sent);
    await server.request("PUT", `${merchant}/settings`, { body: { vat_payment_suspension: true }, ...sent });
    const registered = {
      mark: "400001234567890",
      uid: "A".repeat(40),
      qrUrl: "https://authority.example/qr",
    };
    server.provider.expect({ asked: "issue", answer: () => ({ kind: "issued", ...registered }) });
    const lines = [buildLine({ vat_category: "exempt", vat_exemption: 14 })];
    const payments = [{ method: "cash", amount: 833 } as const];
    const document = buildDocument("1.1", { customer: CUSTOMERS.eu, lines, payments });
    const { id } = (await server.issue({ document, external_reference: "order-4711" }, sent)).body.data;
    server.advance(5_000);
    await server.settle();
    const { appliance } = server;
    const paper = await readPaper(appliance, (await findDocumentRow(appliance.store.read, { id }))!);
    expect(paper).toMatchObject({
      ...registered,
      isTest: mode === "test",
      sentType: "1.2",
      series: "TIM",
      number: 1,
      reference: "order-4711",
      payments,
      vatPaymentSuspension: true,
      cancellation: undefined,
      issuedAt: new Date("2026-11-21T09:00:05.000Z"),
    });
  },
);

const OTHERS = buildErrorObject("provider_unavailable", sameInBoth("scripted"));
const PDF = Buffer.from("%PDF-1.4\nof the provider");

describe("the provider's PDF", () => {
  let outcome: PdfOutcome;
  let id: string;
  let connection: string;
  const server = forEachTest(() => openConnectingServer({}, { fetchPdf: () => outcome }));
  beforeEach(async () => {
    connection = await server.connect();
    server.provider.issues("400001234567890");
    id = (await server.issued()).id;
  });

  const callsForPdf = async () => {
    const { data } = (await server.get(`/api/v1/provider_calls?document=${id}`)).body;
    return data.filter(({ operation }: { operation: string }) => operation === "fetchPdf");
  };

  test("is passed on unchanged under our file name, and logged as a provider call", async () => {
    outcome = { kind: "pdf", bytes: PDF };
    const { bytes, headers } = await server.get(pdfOf(id));
    expect(bytes.equals(PDF)).toBe(true);
    expect(headers.get("content-disposition")).toBe('inline; filename="TIM-1.pdf"');
    expect(await callsForPdf()).toMatchObject([{ outcome: "ok", document: id }]);
  });

  test("falls back to our PDF if the provider has none", async () => {
    outcome = { kind: "none" };
    const { status, bytes } = await server.get(pdfOf(id));
    expect([status, bytes.subarray(0, 8).toString()]).toEqual([200, "%PDF-1.7"]);
    expect(await callsForPdf()).toHaveLength(1);
  });

  test.each([
    [{ kind: "not_ready", retryAfterMs: 5_000 }, 409, "pdf_not_ready", "5"],
    [{ kind: "not_ready", retryAfterMs: 0 }, 409, "pdf_not_ready", "1"],
    [{ kind: "not_ready" }, 409, "pdf_not_ready", null],
    [{ kind: "not_sent", error: OTHERS }, 503, "provider_unavailable", null],
    [{ kind: "unknown", error: OTHERS, retryAfterMs: 1_500 }, 503, "provider_unavailable", "2"],
  ] as const)("that is unavailable (%o) is %i %s", async (answer, status, code, after) => {
    outcome = answer;
    const reply = await server.get(pdfOf(id));
    expect([reply.status, reply.body.code, reply.body.retryable]).toEqual([status, code, true]);
    expect(reply.headers.get("retry-after")).toBe(after);
  });

  test("a refusal of the account makes its connection invalid", async () => {
    const error = buildErrorObject("provider_credentials_invalid", sameInBoth("refused"), {
      provider_code: "401",
    });
    outcome = { kind: "credentials_refused", error };
    const { status, body } = await server.get(pdfOf(id));
    expect([status, body.code, body.provider_code]).toEqual([422, "provider_credentials_invalid", "401"]);
    expect((await server.read(`/api/v1/connections/${connection}`)).status).toBe("invalid");
  });
});
