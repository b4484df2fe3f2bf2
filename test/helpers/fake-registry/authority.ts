/**
 * Fakes the tax authority's test environment for ERPs, without a network (docs/authority.md#methods). A document sent a
 * second time is filed again under another MARK (docs/authority.md#erp-duplicates); listings have a lower bound, dates as
 * dd/MM/yyyy, and pages; business errors come with HTTP 200. It keeps a ledger of every filing, and uses no code of
 * the product.
 */
import { readInvoices, type ReadInvoice, TAX_SUMS } from "./documents.ts";
import { type Fault, filesBeforeFailing } from "./faults.ts";
import { dayOf, listPage, listReceived, listVatInfo, type Refusal, type Sale } from "./lists.ts";

export interface Account {
  userId: string;
  key: string;
  /** The tax number that the account may issue for. */
  vat: string;
}

export interface Filing extends Omit<ReadInvoice, "errors"> {
  mark: string;
  cancelledByMark: string | null;
  /** A later filing has the same uid, so this one no longer counts (docs/authority.md#several-marks). */
  isReplaced: boolean;
  /** When it first appears in listings. */
  listedAtMs: number;
}

/**
 * How a replaced filing is listed, which is not known for certain (docs/authority.md#erp-duplicates): with `cancelledByMark`,
 * or like before.
 */
export const REPLACING = ["flagged", "unflagged"] as const;
export type Replacing = (typeof REPLACING)[number];

export interface AuthorityOptions {
  accounts: readonly Account[];
  pageSize?: number;
  replacing?: Replacing;
  /** How long a filing is missing from listings. */
  listingDelayMs?: number;
  nowMs?: () => number;
}

/** A request that arrived in full. */
export interface AskedMethod {
  method: string;
  verb: string;
  query: URLSearchParams;
  userId: string | undefined;
  key: string | undefined;
  body: string;
}

export interface AuthorityReply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const PAGE = { type: "text/html", body: "<html><body>The page cannot be displayed</body></html>" };
const GENERAL_EXCEPTION = { status: 400, type: "text/plain", body: "General Exception Error" };

/** The responses of faults that do not come from the application. */
const FAULT_REPLIES: Partial<Record<Fault, { status: number; type: string; body: string }>> = {
  "html 502 before filing": { status: 502, ...PAGE },
  "html 502 after filing": { status: 502, ...PAGE },
  "500 before filing": { status: 500, type: "text/plain", body: "error" },
  "500 after filing": { status: 500, type: "text/plain", body: "error" },
  "400 before filing": GENERAL_EXCEPTION,
  "400 after filing": GENERAL_EXCEPTION,
  "403 page before filing": { status: 403, ...PAGE },
  "403 page after filing": { status: 403, ...PAGE },
  "empty 403 before filing": { status: 403, type: "text/plain", body: "" },
};

const FIRST_MARK = 400_001_900_000_000n;

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Listings show `100.00` as `100` and `12.40` as `12.4`. */
function listedAmounts(xml: string): string {
  return xml.replaceAll(/>(\d+\.\d{2})</g, (_whole, amount: string) => `>${Number(amount)}<`);
}

export function createAuthority(options: AuthorityOptions) {
  const pageSize = options.pageSize ?? 1000;
  const ledger: Filing[] = [];
  const requests: string[] = [];
  const failing = new Set<string>();
  const refused = new Map<string, { code: string; message: string }>();
  let lastMark = FIRST_MARK;

  const authority = {
    /** The address in QR codes. */
    url: "",
    ledger,
    /** `SendInvoices 3`: the method of each request, and the number of documents in a send. */
    requests,
    accounts: [...options.accounts],
    /** What customers sent about filings. */
    refusals: [] as Refusal[],
    /** What else counts in the VAT figures, as from a cash register. */
    otherSales: [] as Sale[],
    /** The seconds of `retry-after` with a 429. */
    retryAfterSeconds: 1,
    /** A message with a document of the series gets HTTP 400 after the documents before it are filed. */
    failOn: (series: string) => void failing.add(series),
    /** Documents of the series are refused with the authority's code. */
    refuse: (series: string, code: string, message: string) => void refused.set(series, { code, message }),
    listingDelayMs: options.listingDelayMs ?? 0,
    nowMs: options.nowMs ?? Date.now,
    replacing: options.replacing ?? "unflagged",
    answer,
  };

  function newMark(): string {
    lastMark += 1n;
    return String(lastMark);
  }

  /** The response for one invoice; valid ones are filed. */
  function file(invoice: ReadInvoice, account: Account, index: number): string {
    const own = refused.get(invoice.series);
    const errors = [
      ...(invoice.vat === account.vat ? [] : [{ code: "105", message: "No right for this VAT number" }]),
      ...invoice.errors,
      ...(own === undefined ? [] : [own]),
    ];
    if (errors.length > 0) {
      const list = errors.map(
        ({ code, message }) => `<error><message>${escape(message)}</message><code>${code}</code></error>`,
      );
      return `<response><index>${index}</index><statusCode>ValidationError</statusCode><errors>${list.join("")}</errors></response>`;
    }
    const { errors: _none, ...identity } = invoice;
    const mark = newMark();
    const earlier = ledger.filter(({ uid }) => uid === invoice.uid);
    ledger.push({
      ...identity,
      mark,
      cancelledByMark: null,
      isReplaced: false,
      listedAtMs: authority.nowMs() + authority.listingDelayMs,
    });
    for (const filing of earlier) {
      filing.isReplaced = true;
      if (authority.replacing === "flagged") filing.cancelledByMark ??= newMark();
    }
    const qr = `${authority.url}/TimologioQR/QRInfo?q=${invoice.uid.slice(0, 12)}`;
    return `<response><index>${index}</index><invoiceUid>${invoice.uid}</invoiceUid><invoiceMark>${mark}</invoiceMark><qrUrl>${escape(qr)}</qrUrl><statusCode>Success</statusCode></response>`;
  }

  function document(responses: readonly string[]): string {
    return `<?xml version="1.0" encoding="utf-8"?>\r\n<ResponseDoc xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${responses.join("")}</ResponseDoc>`;
  }

  function sendInvoices(body: string, account: Account, fault: Fault | undefined): string | Fault {
    const invoices = readInvoices(body, dayInAthens(authority.nowMs()));
    requests.push(`SendInvoices ${invoices?.length ?? 0}`);
    if (fault === "technical error before filing") return technical(invoices?.length ?? 1);
    if (invoices === undefined) {
      return document([
        `<response><index>1</index><statusCode>XMLSyntaxError</statusCode><errors><error><message>The message cannot be read</message><code>101</code></error></errors></response>`,
      ]);
    }
    const failure = invoices.findIndex(({ series }) => failing.has(series));
    if (failure !== -1) {
      for (const invoice of invoices.slice(0, failure)) file(invoice, account, 1);
      return "400 after filing";
    }
    const responses = invoices.map((invoice, index) => file(invoice, account, index + 1));
    if (fault === "technical error after filing") return technical(invoices.length);
    if (fault === "answers in reverse") return document(responses.toReversed());
    if (fault === "last answer missing") return document(responses.slice(0, -1));
    if (fault === "wrapped")
      return `<string xmlns="http://schemas.microsoft.com/2003/10/Serialization/">${escape(document(responses))}</string>`;
    return document(responses);
  }

  function technical(count: number): string {
    const one = (index: number) =>
      `<response><index>${index}</index><statusCode>TechnicalError</statusCode><errors><error><message>Unexpected</message><code>335</code></error></errors></response>`;
    return document(Array.from({ length: count }, (_, index) => one(index + 1)));
  }

  function listTransmitted(query: URLSearchParams, account: Account): string {
    requests.push("RequestTransmittedDocs");
    const from = dayOf(query.get("dateFrom"));
    const to = dayOf(query.get("dateTo")) ?? from;
    const above = BigInt(query.get("mark") ?? "0");
    const through = query.get("maxMark");
    const found = ledger.filter(
      (filing) =>
        filing.vat === account.vat &&
        BigInt(filing.mark) > above &&
        (through === null || BigInt(filing.mark) <= BigInt(through)) &&
        (from === undefined || filing.date >= from) &&
        (to === undefined || filing.date <= to) &&
        (query.get("invType") === null || filing.type === query.get("invType")) &&
        filing.listedAtMs <= authority.nowMs(),
    );
    const { page, token } = listPage(found, query, pageSize);
    const invoices = page.map(listed).join("");
    const doc = invoices === "" ? "" : `<invoicesDoc>${invoices}</invoicesDoc>`;
    return `<RequestedDoc xmlns="http://www.aade.gr/myDATA/invoice/v1.0" xmlns:icls="https://www.aade.gr/myDATA/incomeClassificaton/v1.0">${token}${doc}</RequestedDoc>`;
  }

  function listed(filing: Filing): string {
    const { uid, mark, cancelledByMark, vat, branch, series, aa, date, type, net, gross, sent } = filing;
    const cancelled = cancelledByMark === null ? "" : `<cancelledByMark>${cancelledByMark}</cancelledByMark>`;
    const issuer = `<issuer><vatNumber>${vat}</vatNumber><country>GR</country><branch>${branch}</branch></issuer>`;
    const header = `<invoiceHeader><series>${escape(series)}</series><aa>${aa}</aa><issueDate>${date}</issueDate><invoiceType>${type}</invoiceType><vatPaymentSuspension>false</vatPaymentSuspension><currency>EUR</currency></invoiceHeader>`;
    const taxes = TAX_SUMS.map(({ name, sign }) => ({
      name,
      sign,
      amount: Number(filing.taxSums[name] ?? 0),
    }));
    const added = taxes.reduce((sum, { sign, amount }) => sum + sign * amount, 0);
    const totals = {
      totalNetValue: Number(net),
      totalVatAmount: Math.round((Number(gross) - added - Number(net)) * 100) / 100,
      ...Object.fromEntries(taxes.map(({ name, amount }) => [name, amount])),
      totalGrossValue: Number(gross),
    };
    const summary = Object.entries(totals).map(([name, amount]) => `<${name}>${amount}</${name}>`);
    const contents = listedAmounts(sent.paymentMethods + sent.invoiceDetails);
    const qrCode = escape(`${authority.url}/TimologioQR/QRInfo?q=${uid.slice(0, 12)}`);
    return `<invoice><uid>${uid}</uid><mark>${mark}</mark>${cancelled}${issuer}${sent.counterpart}${header}${contents}<invoiceSummary>${summary.join("")}</invoiceSummary><qrCodeUrl>${qrCode}</qrCodeUrl></invoice>`;
  }

  function cancel(query: URLSearchParams, account: Account): string {
    requests.push("CancelInvoice");
    const filing = ledger.find(({ mark, vat }) => mark === query.get("mark") && vat === account.vat);
    const refuse = (code: string) =>
      document([
        `<response><statusCode>ValidationError</statusCode><errors><error><message>Not cancelled</message><code>${code}</code></error></errors></response>`,
      ]);
    if (filing === undefined) return refuse("301");
    if (filing.cancelledByMark !== null) return refuse("251");
    filing.cancelledByMark = newMark();
    return document([
      `<response><cancellationMark>${filing.cancelledByMark}</cancellationMark><statusCode>Success</statusCode></response>`,
    ]);
  }

  /** Processes the request; undefined if the connection is cut instead of a response. */
  function answer(asked: AskedMethod, fault: Fault | undefined): AuthorityReply | undefined {
    const account = authority.accounts.find(
      ({ userId, key }) => asked.userId === userId && asked.key === key,
    );
    if (account === undefined || fault === "401") {
      const body = '{ "statusCode": 401, "message": "Access denied due to invalid subscription key." }';
      return reply(401, "application/json", body);
    }
    if (fault === "429") {
      const body = '{ "statusCode": 429, "message": "Rate limit is exceeded." }';
      const pause = String(authority.retryAfterSeconds);
      return { status: 429, headers: { "content-type": "application/json", "retry-after": pause }, body };
    }
    if (!filesBeforeFailing(fault) && fault !== "technical error before filing") return replyTo(fault!);
    const body = act(asked, account, fault);
    if (body === undefined) return reply(404, "text/plain", "");
    if (body === "400 after filing") return replyTo(body);
    switch (fault) {
      case "cut after filing":
        return undefined;
      case "garbled after filing":
        return reply(200, "application/xml", body.slice(0, Math.floor(body.length / 2)));
      case "empty after filing":
        return reply(200, "application/xml", "");
      default:
        if (fault !== undefined && fault in FAULT_REPLIES) return replyTo(fault);
        return reply(200, "application/xml; charset=utf-8", body);
    }
  }

  function act(
    { method, verb, query, body }: AskedMethod,
    account: Account,
    fault: Fault | undefined,
  ): string | undefined {
    if (method === "SendInvoices" && verb === "POST") return sendInvoices(body, account, fault);
    if (method === "RequestTransmittedDocs" && verb === "GET") return listTransmitted(query, account);
    const own = ledger.filter(({ vat }) => vat === account.vat);
    if (method === "RequestVatInfo" && verb === "GET") {
      requests.push(method);
      return listVatInfo([...own, ...authority.otherSales], query, pageSize);
    }
    if (method === "RequestDocs" && verb === "GET") {
      requests.push(method);
      return listReceived(authority.refusals, own, query, pageSize);
    }
    if (method === "CancelInvoice" && verb === "POST") return cancel(query, account);
    requests.push(`unexpected ${verb} ${method}`);
    return undefined;
  }

  return authority;
}

export type Authority = ReturnType<typeof createAuthority>;

function reply(status: number, type: string, body: string): AuthorityReply {
  return { status, headers: { "content-type": type }, body };
}

function replyTo(fault: Fault): AuthorityReply {
  const { status, type, body } = FAULT_REPLIES[fault]!;
  return reply(status, type, body);
}

function dayInAthens(ms: number): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Athens" }).format(ms);
}

/** What counts at the authority: each uid with the MARK of its last filing, unless that is cancelled. */
export function validMarks(ledger: readonly Filing[]): Map<string, string> {
  const valid = ledger.filter(({ cancelledByMark, isReplaced }) => cancelledByMark === null && !isReplaced);
  return new Map(valid.map(({ uid, mark }) => [uid, mark]));
}

/** What is not shown as cancelled, replaced or not, and so might be counted twice. */
export function uncancelledMarks(ledger: readonly Filing[]): Map<string, string[]> {
  const filings = Map.groupBy(
    ledger.filter(({ cancelledByMark }) => cancelledByMark === null),
    ({ uid }) => uid,
  );
  return new Map([...filings].map(([uid, same]) => [uid, same.map(({ mark }) => mark)]));
}

/** A document of ours. */
interface OwnDocument {
  /** In the sentences. */
  name: string;
  status: string;
  uid: string | null;
  mark: string | null;
  isCancelled: boolean;
  /** MARKs found later for the same document, each reported to a person. */
  later: ReadonlySet<string>;
}

/**
 * Lists differences between the ledger and all documents of ours: each issued document must count once, under its own MARK or
 * under a later one that was reported to a person. Nothing else may be registered.
 */
export function findMisfiled(ledger: readonly Filing[], documents: readonly OwnDocument[]): string[] {
  const valid = validMarks(ledger);
  const uncancelled = uncancelledMarks(ledger);
  const found: string[] = [];
  for (const { name, status, uid, mark, isCancelled, later } of documents) {
    const isValid = status === "issued" && !isCancelled;
    const isOwn = (one: string | undefined) =>
      isValid && one !== undefined && (one === mark || later.has(one));
    const validMark = valid.get(uid ?? "");
    if (isValid && !isOwn(validMark)) found.push(`${name} has the MARK ${mark}, and ${validMark} is valid`);
    const others = (uncancelled.get(uid ?? "") ?? []).filter((one) => !isOwn(one));
    if (others.length > 0) found.push(`${name} (${status}, ${mark}) is also registered: ${others.join(" ")}`);
    uncancelled.delete(uid ?? "");
  }
  for (const [uid, marks] of uncancelled) found.push(`no document has the uid ${uid} of ${marks.join(" ")}`);
  return found;
}
