import { describe, expect, test } from "vitest";
import { createApp } from "../../server/app.ts";
import { listProviderCalls, listRequests } from "../../src/operations/logs.ts";
import { listEvents } from "../../src/operations/events.ts";
import type { QueryField } from "../../src/operations/field.ts";
import { NO_RETRIES } from "../helpers/appliance.ts";
import { openConnectingServer } from "../helpers/connecting.ts";
import { buildDocument, buildLine } from "../helpers/documents.ts";
import { expectPage, OVERVIEW_AND_LISTS, signedIn } from "../helpers/console.ts";
import { closing, forEachTest } from "../helpers/set-up.ts";

const server = forEachTest(() => openConnectingServer({ env: NO_RETRIES }));
const visitor = forEachTest(() => signedIn(server));

const issue = (extra = {}) => server.issued({ provider: "sandbox", ...extra });

/** The ids of the documents that a page links to, in its order. */
function documentsIn(html: string): string[] {
  return [...new Set([...html.matchAll(/\/console\/documents\/(doc_\w+)"/g)].map(([, id]) => id!))];
}

const HOSTILE = `<img src=x onerror=alert(1)>"'&`;

test("escapes user data: names, descriptions, references, metadata and URLs, on every page that shows them", async () => {
  await server.request("PATCH", `/api/v1/merchants/${server.merchant}`, {
    body: { name: HOSTILE, external_id: HOSTILE, metadata: { [HOSTILE.slice(0, 40)]: HOSTILE } },
  });
  const lines = [buildLine({ description: HOSTILE })];
  const customer = {
    tax_id: { country: "DE", code: "123456789" },
    name: HOSTILE,
    address: { street: HOSTILE, postal_code: HOSTILE.slice(0, 20), city: HOSTILE },
  };
  const { id } = await issue({
    external_reference: HOSTILE,
    metadata: { note: HOSTILE },
    document: buildDocument("1.1", { lines, customer }),
  });
  const hook = { url: "http://127.0.0.1:9/hook?<b>", enabled_events: ["*"], description: HOSTILE };
  await server.post("/api/v1/webhook_endpoints", hook);
  await server.get(`/api/v1/documents?external_reference=${encodeURIComponent(HOSTILE)}`);
  const pages = [...OVERVIEW_AND_LISTS, `/documents/${id}`, `/merchants/${server.merchant}`];
  const [{ id: event }] = await server.read("/api/v1/events");
  const [{ id: request }] = await server.read("/api/v1/requests");
  const [{ id: call }] = await server.read("/api/v1/provider_calls");
  const [{ id: endpoint }] = await server.read("/api/v1/webhook_endpoints");
  pages.push(`/events/${event}`, `/requests/${request}`, `/calls/${call}`, `/webhooks/${endpoint}`);
  const q = encodeURIComponent(HOSTILE);
  pages.push(`/documents?q=${q}`, `/documents?merchant=${server.merchant}`, `/documents/${id}/cancel`);
  let escaped = 0;
  for (const page of pages) {
    const { html, status } = await visitor.get(`/console${page}`);
    expect([page, status]).toEqual([page, 200]);
    expect(html, page).not.toContain("<img");
    expect(html, page).not.toContain("?<b>");
    if (html.includes("&#60;img")) escaped += 1;
  }
  expect(escaped).toBeGreaterThanOrEqual(8);
});

test("escapes user data: the page's own URL", async () => {
  const { html, status } = await visitor.get(`/console/documents?status="><script>alert(1)</script>`);
  expect(status).toBe(400);
  expect(html).not.toContain("<script>alert");
});

describe("every page", () => {
  test("responds 304 to the script until something changes", async () => {
    await issue();
    const { html } = await visitor.get("/console");
    const visit = /data-visit="([\w-]+)"/.exec(html)?.[1] ?? "";
    const live = { "x-fiscal-live": visit };
    const first = await visitor.get("/console", live);
    const etag = first.headers.get("etag")!;
    const again = await visitor.get("/console", { ...live, "if-none-match": etag });
    expect([again.status, again.html]).toEqual([304, ""]);
    await issue();
    expect((await visitor.get("/console", { ...live, "if-none-match": etag })).status).toBe(200);
  });

  test("is not refreshed by a later session, which may be of the other mode", async () => {
    const { html } = await visitor.get("/console");
    const visit = /data-visit="([\w-]+)"/.exec(html)?.[1] ?? "";
    await visitor.signIn("live");
    const shown = await visitor.get("/console", { "x-fiscal-live": visit });
    expect([shown.status, shown.html]).toEqual([401, "The session has ended"]);
  });

  test("ignores an invalid flash cookie", async () => {
    for (const flash of ["%zz", "%ff", "flash%20nothing"]) {
      visitor.cookies.set("fiscal_console_flash", flash);
      expect((await visitor.get("/console")).status).toBe(200);
    }
  });

  test("keeps the flash message when the script refreshes the page", async () => {
    const done = await visitor.post("/console/sign-out");
    await visitor.get("/console/sign-in", { "x-fiscal-live": "1" });
    expect((await visitor.follow(done)).html).toContain("You are signed out.");
  });

  test("accepts a trailing slash and HEAD requests", async () => {
    expect((await visitor.get("/console/documents/")).status).toBe(200);
    const { app } = createApp(server.appliance);
    const cookie = `fiscal_console=${visitor.cookies.get("fiscal_console")}`;
    expect((await app.request("/console", { method: "HEAD", headers: { cookie } })).status).toBe(200);
    expect((await app.request("/console", { method: "PUT", headers: { cookie } })).status).toBe(404);
  });

  test("that does not exist is a 404 page", async () => {
    for (const name of [
      "nothing",
      "documents/doc_0",
      "merchants/x",
      "events/evt_0",
      "calls/x",
      "webhooks/we_1",
    ]) {
      const path = `/console/${name}`;
      const { status, html } = await visitor.get(path);
      expect([path, status, html.includes("Not found")]).toEqual([path, 404, true]);
    }
  });
});

test("rate-limits a session", async () => {
  await using held = await closing(openConnectingServer({ env: { FISCAL_RATE_LIMIT__REQUESTS: "5" } }));
  const greedy = await signedIn(held);
  const statuses: number[] = [];
  for (let times = 0; times < 6; times += 1) statuses.push((await greedy.get("/console/merchants")).status);
  expect(statuses).toContain(429);
  held.advance(10_000);
  expect((await greedy.get("/console/merchants")).status).toBe(200);
});

describe("the overview", () => {
  test("begins with the month of each merchant in live mode, and links to what it counts", async () => {
    expect((await visitor.get("/console")).html).not.toContain("VAT return");
    const live = await signedIn(server, "live");
    const { html } = await live.get("/console?month=2026-10");
    expect(html).toContainAll("VAT return", '<time datetime="2026-11-30">30 Nov 2026</time>');
    const days = "issue_date%5Bgte%5D=2026-10-01&#38;issue_date%5Blte%5D=2026-10-31";
    for (const status of ["issued", "pending", "rejected"])
      expect(html).toContain(
        `/console/documents?merchant=${server.merchant}&#38;status=${status}&#38;${days}`,
      );
    expect(html).toContain("/console?month=2026-09");

    expect((await live.get("/console?month=2026-13")).status).toBe(400);
  });

  test("counts the waiting documents of a month by what their links lead to", async () => {
    const { id } = await issue();
    const { store } = server.appliance;
    const [row] = await store.read.query((db) => db.selectFrom("documents").selectAll().where("id", "=", id));
    const copies = (["queued", "failed", "failed"] as const).map((phase, index) => ({
      ...row!,
      id: `doc_${String(index).padStart(22, "0")}`,
      number: 100 + index,
      mode: "live" as const,
      status: phase === "failed" ? ("failed" as const) : ("pending" as const),
      phase,
    }));
    await store.write((trx) => trx.query((db) => db.insertInto("documents").values(copies)));
    const live = await signedIn(server, "live");
    const shown = await live.get(`/console?month=${row!.issue_date.slice(0, 7)}`);
    expect(shown.html).toMatch(
      /status=pending&[^"]*">1<\/a> \+ <a [^>]*status=failed&[^"]*">2 \(failed\)<\/a>/,
    );
  });

  test("counts today's documents by Athens' day, and sums the days by issue date", async () => {
    await issue({ metadata: { sandbox: "rejected" } });
    await issue();
    const cancelled = await issue();
    await server.post(`/api/v1/documents/${cancelled.id}/cancel`, {});
    // Earlier days may be cached for a minute.
    server.advance(60_000);
    const { html } = await visitor.get("/console");
    expect(html).toContain("<strong>2</strong>Issued");
    expect(html).toContain("<strong>1</strong>Rejected");
    expect(html).toContain("1 in total; the most: 1 (2 Nov 2026).");
    expect(html).toContain("€2.00 in total; the most: €2.00 (2 Nov 2026).");
    // 21 November, 22:00 in UTC, is the 22nd in Athens.
    server.advance(13 * 3_600_000);
    await visitor.signIn("test");
    expect((await visitor.get("/console")).html).toContain("<strong>0</strong>Issued");
  });

  test("subtracts credit notes from the VAT", async () => {
    await issue({ document: buildDocument("5.2") });
    server.advance(60_000);
    expect((await visitor.get("/console")).html).toContain("-€2.00");
  });
});

describe("the list of documents", () => {
  test("pages forwards and backwards over each document once", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 30; count += 1) {
      ids.unshift((await server.issue()).body.data.id);
    }
    const first = (await visitor.get("/console/documents?status=pending")).html;
    expect(first).not.toContain("Previous");
    const older = /href="([^"]+)">Next/.exec(first)?.[1]?.replaceAll("&#38;", "&") ?? "";
    expect(older).toContain("status=pending");
    const second = (await visitor.get(older)).html;
    expect([...documentsIn(first), ...documentsIn(second)]).toEqual(ids);
    expect(second).not.toContain(">Next");
    const newer = /href="([^"]+)">← Previous/.exec(second)?.[1]?.replaceAll("&#38;", "&") ?? "";
    expect(documentsIn((await visitor.get(newer)).html)).toEqual(documentsIn(first));
  });

  test("leads from an event to the requests with the client's own id", async () => {
    const headers = { "x-request-id": "order-4711" };
    const shop = { external_id: "constructor_1234567890123456789012", name: "req_and doc_ shop" };
    await server.post("/api/v1/merchants", { ...shop, tax_id: "094014201" }, { headers });
    const [{ id }] = await server.read("/api/v1/events");
    const { html } = await visitor.get(`/console/events/${id}`);
    expect(html).toContain('<a href="/console/requests?request_id=client%3Aorder-4711">');
    const merchants = (await visitor.get("/console/merchants")).html;
    for (const text of Object.values(shop)) expect(merchants).toContain(`>${text}<`);
  });

  test("names the choices of a filter", async () => {
    const { html } = await visitor.get("/console/documents");
    for (const option of ['"provider_a">Wrapp', '"registry_direct">registry_direct', '"issued">Issued'])
      expect(html).toContain(`<option value=${option}</option>`);
  });

  test("filters by status, type, merchant and days, and ignores empty fields", async () => {
    const issued = await issue();
    const rejected = await issue({ metadata: { sandbox: "rejected" } });
    const show = async (query: string) =>
      documentsIn((await visitor.get(`/console/documents?${query}`)).html);
    const [from, to] = ["issue_date[gte]", "issue_date[lte]"];
    expect(await show(`q=&status=&type=&merchant=&${from}=&${to}=`)).toEqual([rejected.id, issued.id]);
    expect(await show("status=issued")).toEqual([issued.id]);
    expect(await show("type=11.1")).toEqual([]);
    expect(await show(`merchant=${server.merchant}&${from}=2026-11-02&${to}=2026-11-02`)).toHaveLength(2);
    expect(await show(`${from}=2026-11-03`)).toEqual([]);
  });

  test("is that of the chosen merchant, without its column; of all merchants with it", async () => {
    await issue();
    const other = { external_id: "other", name: "Δεύτερη ΙΚΕ", tax_id: "094014201" };
    const { body } = await server.post("/api/v1/merchants", other);
    const shown = async () => {
      const { html } = await visitor.get("/console/documents");
      return [documentsIn(html).length, html.includes('data-head="Merchant"')];
    };
    expect(await shown()).toEqual([1, true]);
    const choose = (shop: string) => visitor.post("/console/merchant", { shop, next: "/console/documents" });
    expect((await choose(body.data.id)).headers.get("location")).toBe("/console/documents");
    expect(await shown()).toEqual([0, false]);
    await choose(server.merchant);
    expect(await shown()).toEqual([1, false]);
    await choose("");
    expect(await shown()).toEqual([1, true]);
  });

  test("exports what it shows, and does the same with several documents", async () => {
    const issued = await issue({ external_reference: "=order" });
    const failed = await issue({ metadata: { sandbox: "unavailable" } });
    // Before the file begins.
    const refused = await visitor.get("/console/documents.csv?sort=size");
    expect([refused.status, refused.headers.get("content-type")]).toEqual([400, "text/html; charset=utf-8"]);
    const csv = await visitor.get("/console/documents.csv?status=issued");
    const [head, ...rows] = csv.html.trim().split("\r\n");
    expect(head).toMatch(/^\ufeff?id;reference;type;number;/);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toContain(`${issued.id};'=order;1.1;TIM 1;`);
    expectPage(await visitor.get("/console/documents"), 200, `form="chosen" name="${failed.id}"`);
    const chosen = { [issued.id]: "1", [failed.id]: "1" };
    const archive = await visitor.post("/console/chosen/pdfs", chosen);
    expect(archive.headers.get("content-type")).toBe("application/zip");
    for (const name of ["TIM-1.pdf", "missing.txt"]) expect(archive.html).toContain(name);
    const retried = await visitor.follow(await visitor.post("/console/chosen/retry", chosen));
    expect(retried.html).toContain("Failed documents queued again: 1.");
    expect((await visitor.post("/console/chosen/mails", chosen)).html).toContain("set the mail server");
    const none = await visitor.follow(await visitor.post("/console/chosen/pdfs"));
    expect(none.html).toContain("No document was chosen.");
  });

  test("sorts by date and amount, page by page, with any filters", async () => {
    const made: { id: string; day: string; gross: number }[] = [];
    for (let index = 0; index < 30; index += 1) {
      const day = `2026-10-${String(1 + ((index * 7) % 12)).padStart(2, "0")}`;
      const lines = [buildLine({ quantity: "1", unit_price: 100 * (1 + ((index * 5) % 9)) })];
      const document = buildDocument("1.1", { issue_date: day, lines });
      const { body } = await server.issue({ document });
      made.push({ id: body.data.id, day, gross: document.totals.gross });
    }
    const compare = (left: string | number, right: string | number) =>
      left < right ? -1 : left > right ? 1 : 0;
    for (const [sort, by] of [
      ["date", "day"],
      ["amount", "gross"],
    ] as const)
      for (const sign of [1, -1]) {
        const name = sign === 1 ? sort : `-${sort}`;
        const order = made
          .toSorted((one, other) => sign * (compare(one[by], other[by]) || compare(one.id, other.id)))
          .map(({ id }) => id);
        const first = (await visitor.get(`/console/documents?sort=${name}`)).html;
        expect(first).toContain(`aria-sort="${sign === 1 ? "ascending" : "descending"}"`);
        const next = /href="([^"]+)">Next/.exec(first)?.[1]?.replaceAll("&#38;", "&") ?? "";
        const second = (await visitor.get(next)).html;
        expect([...documentsIn(first), ...documentsIn(second)]).toEqual(order);
        const back = /href="([^"]+)">← Previous/.exec(second)?.[1]?.replaceAll("&#38;", "&") ?? "";
        expect(documentsIn((await visitor.get(back)).html)).toEqual(documentsIn(first));
      }
    const october = "issue_date[gte]=2026-10-12&sort=-date";
    const latest = made.filter(({ day }) => day === "2026-10-12").map(({ id }) => id);
    expect(documentsIn((await visitor.get(`/console/documents?${october}`)).html)).toEqual(
      latest.toReversed(),
    );
    const pending = await issue({ metadata: { sandbox: "unavailable" } });
    const ids = (query: string) =>
      visitor.get(`/console/documents?${query}`).then(({ html }) => documentsIn(html));
    const byAmount = made.toSorted((one, other) => one.gross - other.gross || compare(one.id, other.id));
    const early = byAmount.filter(({ day }) => day <= "2026-10-05").map(({ id }) => id);
    for (const filters of ["&type=1.1", "&customer_tax_id=094012834", "&provider=sandbox", ""])
      expect(await ids(`sort=amount&status=issued&issue_date[lte]=2026-10-05${filters}`)).toEqual(early);
    expect(await ids("sort=-amount&status=failed")).toEqual([pending.id]);
    expect(await ids("sort=date&status=rejected")).toEqual([]);
    // A search finds a few documents, which are sorted.
    expect(await ids("sort=amount&q=TIM+7")).toHaveLength(1);
    expect(new Set(await ids("sort=-date&q=1,24"))).toEqual(
      new Set(made.filter(({ gross }) => gross === 124).map(({ id }) => id)),
    );
    const shown = (await visitor.get("/console/documents?sort=date&status=issued")).html;
    expect(shown).toContain('href="/console/documents?sort=-date&#38;status=issued"');
    expect(shown).toContain('<input type="hidden" name="sort" value="date">');
  });

  test("says in words what to remove if a sorted page would take too long", async () => {
    const made = await issue();
    const { store } = server.appliance;
    const [row] = await store.read.query((db) =>
      db.selectFrom("documents").selectAll().where("id", "=", made.id),
    );
    const copy = (index: number) => ({
      ...row!,
      id: `doc_${String(index).padStart(22, "0")}`,
      number: 100 + index,
      gross: 1000 + index,
      issue_date: index < 20 ? "2026-10-01" : "2026-10-02",
      ...(index < 3000 ? {} : { status: "failed" as const, phase: "failed" as const }),
    });
    for (let first = 0; first < 6001; first += 100) {
      const rows = Array.from({ length: 100 }, (_, index) => copy(first + index));
      await store.write((trx) => trx.query((db) => db.insertInto("documents").values(rows)));
    }
    const page = (query: string) => visitor.get(`/console/documents?${query}`);
    expect(documentsIn((await page("sort=-amount&status=failed")).html)).toHaveLength(25);
    expect(documentsIn((await page("sort=amount&status=failed&issue_date[lte]=2026-10-01")).html)).toEqual(
      [],
    );
    expectPage(
      await page("sort=amount&status=failed"),
      400,
      "remove one of them, or choose a merchant or fewer days",
    );
    // A file has every document all the same.
    const csv = (await visitor.get("/console/documents.csv?sort=-amount&status=failed")).html;
    expect(new Set(csv.trim().split("\r\n")).size).toBe(1 + 3100);
    visitor.cookies.set("fiscal_console_language", "el");
    expect((await page("sort=amount&status=failed")).html).toContain(
      "αφαιρέστε κάποιο, ή επιλέξτε επιχείρηση",
    );
  });

  test("searches by MARK, reference, number, amount and customer, within the filters", async () => {
    const found = await issue({ external_reference: "order 4711" });
    const customer = { tax_id: { country: "GR", code: "998877605" }, name: "Βιβλία Μύλος" };
    const lines = [buildLine({ quantity: "1" })];
    const other = await issue({ document: buildDocument("1.1", { customer, lines }) });
    // Customers are written soon after their documents.
    await server.appliance.store.flush();
    const show = async (text: string) =>
      documentsIn((await visitor.get(`/console/documents?q=${encodeURIComponent(text)}`)).html);
    const { id, mark, number } = found;
    for (const text of [
      mark,
      ` ${mark} `,
      "order 4711",
      id,
      `TIM ${number}`,
      `TIM/${number}`,
      `TIM 00${number}`,
    ])
      expect([text, await show(text)]).toEqual([text, [id]]);
    expect(await show(String(other.number))).toEqual([other.id]);
    for (const text of [`tim ${other.number}`, `ΤΙΜ ${other.number}`, "4,13", "4.13 €", "998877605", "μυλοσ"])
      expect([text, await show(text)]).toEqual([text, [other.id]]);
    const filtered = async (filter: string) =>
      documentsIn((await visitor.get(`/console/documents?q=10,33&${filter}`)).html);
    expect(await filtered("status=issued")).toEqual([found.id]);
    expect(await filtered("status=rejected")).toEqual([]);
    expect(await filtered("customer_tax_id=ΜΥΛΟΣ")).toEqual([]);
    expect((await visitor.get("/console/documents")).html).toContain("Βιβλία Μύλος");
    for (const text of ["TPY 1", "order", "999999999999999999999", "0", "%", "doc_0"])
      expect(await show(text)).toEqual([]);
  });
});

test("shows a document's contents, history and deliveries", async () => {
  const hook = { url: "http://127.0.0.1:9/", enabled_events: ["document.issued"] };
  await server.post("/api/v1/webhook_endpoints", hook);
  const { id, mark } = await issue();
  const { html } = await visitor.get(`/console/documents/${id}`);
  expect(html).toContainAll(
    "Καφές",
    "2.5",
    "€3.33",
    "€8.33",
    "€10.33",
    "094012834",
    mark,
    "on_credit",
    "E3_561_001",
    "Issued with a MARK",
    /\/console\/calls\/pcl_/,
    /\/console\/webhooks\/we_/,
  );
});

test("shows stored errors and warnings in the reader's language", async () => {
  const rejected = await issue({ metadata: { sandbox: "rejected" } });
  const page = `/console/documents/${rejected.id}`;
  const english = (await visitor.get(page)).html;
  const greek = (await visitor.get(page, { "accept-language": "el" })).html;
  expect(english).toContainAll("The sandbox refused the document", "<li><span>payments: none given");
  expect(greek).toContainAll("<span>Το sandbox απέρριψε το παραστατικό", "<li><span>πληρωμές: δεν δόθηκαν");
  expect(greek).not.toMatch(/The sandbox refused|payments: none/);
  const call = /\/console\/calls\/pcl_\w+/.exec(greek)![0];
  expect((await visitor.get(call, { "accept-language": "el" })).html).toContain("Το sandbox απέρριψε");
});

test("shows a refused action in the reader's language", async () => {
  const { id } = await issue();
  const cancel = `/console/documents/${id}/cancel`;
  await visitor.post(cancel, {}, { from: cancel });
  const { html } = await visitor.post(cancel, {}, { headers: { "accept-language": "el" } });
  expect(html).toMatch(/<span>[^<]*\p{Script=Greek}[^<]*<\/span> <code>invalid_state<\/code>/u);
});

test("offers the PDF of issued documents only", async () => {
  const issued = await issue();
  const shown = await visitor.get(`/console/documents/${issued.id}`);
  expect(shown.html).toContain(`/console/documents/${issued.id}/pdf`);
  const file = await visitor.get(`/console/documents/${issued.id}/pdf`);
  expect(file.status).toBe(200);
  expect(file.headers.get("content-type")).toBe("application/pdf");
  expect(file.headers.get("content-disposition")).toBe('attachment; filename="TIM-1.pdf"');
  expect(file.headers.get("cache-control")).toBe("no-store");
  expect(file.html).toMatch(/^%PDF-/);
  const rejected = await issue({ metadata: { sandbox: "rejected" } });
  expect((await visitor.get(`/console/documents/${rejected.id}`)).html).not.toContain("/pdf");
  expectPage(await visitor.get(`/console/documents/${rejected.id}/pdf`), 409, "will have no PDF");
});

test("shows requests and calls with their bodies, without credentials", async () => {
  await server.connect();
  // Log entries are stored with the next write.
  await server.appliance.store.probe();
  const requests = (await visitor.get("/console/requests?operation_id=createConnection")).html;
  const request = (await visitor.get(/\/console\/requests\/rql_\w+/.exec(requests)![0])).html;
  expect(request).toContain("[redacted]");
  const call = (
    await visitor.get(/\/console\/calls\/pcl_\w+/.exec((await visitor.get("/console/calls")).html)![0])
  ).html;
  expect(call).toContain("provider.example");
  for (const html of [request, call]) {
    expect(html).not.toContainAll("key-of-the-shop", server.testKey);
  }
});

test.each([
  ["requests", listRequests.query],
  ["calls", listProviderCalls.query],
  ["events", listEvents.query],
] as const)("the filters of the list of %s are those of its operation", async (path, query) => {
  const labelled = Object.entries<QueryField<unknown>>(query).filter(([field, { label }]) => {
    return label !== undefined && !field.startsWith("created[");
  });
  const { html } = await visitor.get(`/console/${path}`);
  const filters = [...html.matchAll(/<(?:input|select) id="([a-z_]+)" name="\1"/g)].map(([, field]) => field);
  expect(filters).toEqual(labelled.map(([field]) => field));
});
