/** Login, lookups, PDF and verification of provider_a, against a server with scripted responses. */
import { describe, expect, test } from "vitest";
import { isDownloadable } from "../../../src/providers/provider-a/pdf.ts";
import type { Answer } from "../../helpers/scripted-server.ts";
import { buildSending, buildSent, ID, ISSUED, issuedAnswer, LOGIN, openBench, TOKEN } from "./bench.ts";
import { forEachTest } from "../../helpers/set-up.ts";

const bench = forEachTest(openBench);

const POST = "POST /invoices";
const READ = `GET /invoices/${ID}`;
const HOUR_MS = 60 * 60 * 1000;
const UNAUTHORISED = { status: 401, body: { errors: [{ status: "401", title: "Unauthorized" }] } };
const login = (jwt: string) => ({ body: { data: { type: "jwt", attributes: { jwt } } } });
const document = buildSending("1.1");
const sent = buildSent(document);

function logins() {
  return bench.got.filter(({ what }) => what === "POST /login");
}

test.each([
  [
    { api_key: "k", email: "a@b.example" },
    { api_key: "k", email: "a@b.example" },
  ],
  [
    { api_key: "k", provider_user_id: "u" },
    { api_key: "k", wrapp_user_id: "u" },
  ],
])("credentials %j are sent in the body, never in the URL", async (credentials, body) => {
  bench.next(READ, { body: issuedAnswer() });
  await bench.reconcile(sent, bench.call(credentials));
  expect(JSON.parse(logins()[0]!.body)).toEqual(body);
  expect(bench.logged[0]).toEqual({ name: "status auth", url: "/api/login", status: 200 });
});

describe("a token", () => {
  test("is reused for 23 hours, and registered as a secret of each call", async () => {
    bench.always(READ, { body: issuedAnswer() });
    await bench.reconcile(sent);
    bench.advance(23 * HOUR_MS - 1);
    await bench.reconcile(sent);
    expect(logins()).toHaveLength(1);
    expect(bench.secrets).toEqual([TOKEN, TOKEN]);
    bench.advance(1);
    await bench.reconcile(sent);
    expect(logins()).toHaveLength(2);
  });

  test("is not shared between accounts", async () => {
    bench.always(READ, { body: issuedAnswer() });
    await bench.reconcile(sent, bench.call({ api_key: "one", email: "a@b.example" }));
    bench.next("POST /login", login("other"));
    await bench.reconcile(sent, bench.call({ api_key: "two", email: "a@b.example" }));
    expect(bench.got.at(-1)!.headers["authorization"]).toBe("Bearer other");
  });

  test("is requested once by concurrent calls", async () => {
    bench.always(READ, { body: issuedAnswer() });
    await Promise.all([1, 2, 3, 4].map(() => bench.reconcile(sent)));
    expect(logins()).toHaveLength(1);
    expect(bench.secrets).toHaveLength(4);
  });

  test("is renewed once if refused, and the request is repeated with its own recorder", async () => {
    bench.always(POST, { body: issuedAnswer() });
    await bench.issue(document);
    bench.next(POST, UNAUTHORISED);
    bench.next("POST /login", login("second"));
    bench.logged.length = 0;
    expect(await bench.issue(document)).toEqual(ISSUED);
    expect(bench.logged).toEqual([
      { name: "own", url: "/api/invoices", status: 401 },
      { name: "issue auth", url: "/api/login", status: 200 },
      { name: "issue operation", url: "/api/invoices", status: 200 },
    ]);
    expect(bench.got.at(-1)!.headers["authorization"]).toBe("Bearer second");
    expect(bench.secrets).toContain("second");
  });

  test("is discarded if refused again, and the credentials count as refused", async () => {
    bench.next(POST, UNAUTHORISED);
    bench.next(POST, UNAUTHORISED);
    expect(await bench.issue(document)).toMatchObject({
      kind: "credentials_refused",
      error: { code: "provider_credentials_invalid", provider_message: "Unauthorized" },
    });
    expect(logins()).toHaveLength(2);
    bench.next(POST, { body: issuedAnswer() });
    await bench.issue(document);
    expect(logins()).toHaveLength(3);
  });

  test("renewed by another call survives a late refusal", async () => {
    bench.always(READ, { body: issuedAnswer() });
    await bench.reconcile(sent);
    const renewed = Promise.withResolvers<void>();
    bench.next(READ, UNAUTHORISED);
    bench.next(READ, { ...UNAUTHORISED, after: renewed.promise });
    bench.next("POST /login", login("second"));
    const outcomes = [bench.reconcile(sent), bench.reconcile(sent)];
    await Promise.race(outcomes);
    renewed.resolve();
    expect(await Promise.all(outcomes)).toEqual([ISSUED, ISSUED]);
    await bench.reconcile(sent);
    expect(logins()).toHaveLength(2);
    expect(bench.got.at(-1)!.headers["authorization"]).toBe("Bearer second");
  });

  test.each<[string, Answer, string]>([
    ...[200, 401, 404, 422].map((status): [string, Answer, string] => [
      `refused with ${status}`,
      { status, body: { errors: [{ title: "Not valid user" }] } },
      "credentials_refused",
    ]),
    ["refused with an empty 401", { status: 401 }, "credentials_refused"],
    ["at a wrong address", { status: 404, body: { status: 404, error: "Not Found" } }, "not_sent"],
    ["refused by a gateway's page", { status: 401, body: "<html>" }, "not_sent"],
    ["answered without a token", { body: { data: { attributes: {} } } }, "not_sent"],
    ["answered with a token that cannot stand in a header", login("a\nb"), "not_sent"],
    ["answered with a token and an error status", { status: 400, ...LOGIN }, "not_sent"],
    ["unanswered", "cut" as const, "not_sent"],
    ["answered by a gateway", { status: 502, body: "<html>" }, "not_sent"],
    ["rate limited", { status: 429, headers: { "retry-after": "7" } }, "not_sent"],
  ])("is missing if the login is %s, and nothing is sent", async (_name, answer, kind) => {
    bench.next("POST /login", answer);
    expect((await bench.issue(document)).kind).toBe(kind);
    expect(bench.requests()).toEqual(["POST /login"]);
    bench.next(POST, { body: issuedAnswer() });
    bench.next("POST /login", LOGIN);
    expect(await bench.issue(document)).toEqual(ISSUED);
  });
});

/** How the answers to lookups are read is tested in `invoices.test.ts`. */
describe("reconcile", () => {
  test.each([
    ["finds an issued document", { body: issuedAnswer() }, ISSUED],
    [
      "finds no document",
      { status: 404, body: { errors: [{ title: "Record not found" }] } },
      { kind: "absent" },
    ],
    ["gets no response", "cut" as const, { kind: "unknown" }],
    ["gets an error", { status: 500 }, { kind: "unknown" }],
  ])("%s", async (_name, answer, outcome) => {
    bench.next(READ, answer);
    expect(await bench.reconcile(sent)).toMatchObject(outcome);
    expect(bench.logged.at(-1)!.name).toBe("own");
  });

  test("looks up our id even if the provider's is known, and sends nothing", async () => {
    bench.next(READ, { body: issuedAnswer() });
    await bench.reconcile(buildSent(document, { providerRef: "inv-1" }));
    expect(bench.requests()).toEqual(["POST /login", READ]);
  });
});

describe("status", () => {
  const taken = buildSent(document, { providerRef: "inv/1" });

  test.each([
    ["returns the MARK", { body: issuedAnswer({ id: "inv/1" }) }, ISSUED],
    [
      "is unknown if the document is not listed",
      { status: 404, body: { error: "Invoice not found" } },
      { kind: "unknown" },
    ],
    ["is unknown for another document", { body: issuedAnswer({ id: "inv-2" }) }, { kind: "unknown" }],
  ])("%s", async (_name, answer, outcome) => {
    bench.next("GET /invoices/inv%2F1", answer);
    expect(await bench.status(taken)).toMatchObject(outcome);
  });
});

describe("the PDF", () => {
  const GENERATE = "GET /invoices/inv-1/generate_pdf?locale=el";
  const known = buildSent(document, { providerRef: "inv-1", mark: ISSUED.mark });
  const PDF = Buffer.from("%PDF-1.7\nbytes \xff", "latin1");
  const fetchPdf = (of = known) => bench.adapter.fetchPdf(of, bench.call());

  test("is downloaded in two steps, the second without our token", async () => {
    bench.next(GENERATE, {
      body: { status: "PDF generation started, webhook will be send upon completion" },
    });
    expect(await fetchPdf()).toEqual({ kind: "not_ready", retryAfterMs: 5000 });
    bench.next(GENERATE, { body: { download_url: `${bench.origin}/files/1?signature=s3cret` } });
    bench.next("GET /files/1?signature=s3cret", {
      headers: { "content-type": "application/pdf" },
      body: PDF,
    });
    const outcome = await fetchPdf();
    expect(outcome).toMatchObject({ kind: "pdf" });
    expect(Buffer.from((outcome as { bytes: Uint8Array }).bytes)).toEqual(PDF);
    expect(bench.got.at(-1)!.headers).not.toHaveProperty("authorization");
    expect(bench.secrets).toContain("signature=s3cret");
  });

  test("needs a lookup of the provider's id if the document was issued at once", async () => {
    bench.next(READ, { body: issuedAnswer() });
    bench.next(GENERATE, { body: { status: "PDF generation started" } });
    expect(await fetchPdf(buildSent(document, { mark: ISSUED.mark }))).toMatchObject({ kind: "not_ready" });
    expect(bench.logged.map(({ name }) => name)).toEqual(["fetchPdf auth", "fetchPdf operation", "own"]);
  });

  test.each([
    ["a refusal", { body: { errors: [{ title: "Invoice is not issued" }] } }, "none"],
    ["404", { status: 404, body: {} }, "none"],
    ["HTML", { body: "<html>" }, "unknown"],
    ["something else", { body: { fine: true } }, "unknown"],
    ["500", { status: 500 }, "unknown"],
    ["429", { status: 429 }, "not_sent"],
    ["a cut connection", "cut" as const, "unknown"],
  ])("request answered with %s", async (_name, answer, kind) => {
    bench.next(GENERATE, answer);
    expect((await fetchPdf()).kind).toBe(kind);
  });

  test.each([
    ["is not a PDF", { body: "<html>" }, "unknown"],
    ["has expired", { status: 403, body: "<Error/>" }, "not_ready"],
    ["fails", { status: 503 }, "unknown"],
    ["is cut", "cut" as const, "unknown"],
  ])("whose download %s", async (_name, answer, kind) => {
    bench.next(GENERATE, { body: { download_url: `${bench.origin}/files/1` } });
    bench.next("GET /files/1", answer);
    expect((await fetchPdf()).kind).toBe(kind);
  });

  test.each([
    ["https://files.example/1?s=1", true],
    ["http://127.0.0.1:1/files", true],
    ["http://127.0.0.1:2/files", false],
    ["http://files.example/1", false],
    ["https://user:password@files.example/1", false],
    ["file:///etc/passwd", false],
    ["nonsense", false],
  ])("is downloaded from %s: %s", (url, isFetched) => {
    const baseUrl = "http://127.0.0.1:1/api";
    expect(isDownloadable(url, baseUrl, "test")).toBe(isFetched);
    expect(isDownloadable(url, baseUrl, "live")).toBe(isFetched && url.startsWith("https:"));
  });

  test.each([
    "https://10.0.0.1/1?s=1",
    "https://169.254.169.254/latest/meta-data",
    "https://[::ffff:192.168.1.1]/1",
    "https://100.64.0.1/1",
  ])("is not downloaded from %s, which is not a public address", async (url) => {
    bench.next(GENERATE, { body: { download_url: url } });
    expect(await fetchPdf()).toMatchObject({
      kind: "not_sent",
      error: { message: expect.stringContaining("not a public") },
    });
    expect(bench.logged.at(-1)!.failed).toContain("address");
  });
});

describe("verifying", () => {
  const TENANT = "GET /tenant_details";
  const verify = () => bench.adapter.verify(bench.call());

  test("logs in again and reads the account", async () => {
    bench.always(TENANT, { body: { wrapp_user_id: "u", has_plan: true, issue_invoice_status: true } });
    expect(await verify()).toEqual({ kind: "accepted" });
    expect(await verify()).toEqual({ kind: "accepted" });
    expect(bench.requests()).toEqual(["POST /login", TENANT, "POST /login", TENANT]);
    expect(bench.logged[0]!.name).toBe("verify auth");
  });

  test("accepts an account that may not issue yet", async () => {
    bench.next(TENANT, { body: { wrapp_user_id: "u", has_plan: false, issue_invoice_status: false } });
    expect(await verify()).toEqual({ kind: "accepted" });
  });

  test("reports refused credentials if the login is refused", async () => {
    bench.next("POST /login", { status: 401, body: { errors: [{ title: "Not valid user" }] } });
    expect(await verify()).toMatchObject({
      kind: "refused",
      error: { code: "provider_credentials_invalid", provider_message: "Not valid user" },
    });
  });

  test.each([
    ["no response", "cut" as const],
    ["HTML", { body: "<html>" }],
    ["429", { status: 429 }],
    ["errors", { body: { errors: [{ title: "Try later" }] } }],
  ])("reports unavailable after %s", async (_name, answer) => {
    bench.next(TENANT, answer);
    expect((await verify()).kind).toBe("unavailable");
  });
});

test("throws when asked to cancel, or to issue several documents at once", async () => {
  expect(bench.adapter.canCancel).toBe(false);
  expect(() => bench.adapter.cancel(sent, bench.call())).toThrow("credited");
  expect(() => bench.adapter.findCancellation(sent, bench.call())).toThrow("credited");
  await expect(bench.adapter.issue([document, document], bench.call())).rejects.toThrow("one document");
});
