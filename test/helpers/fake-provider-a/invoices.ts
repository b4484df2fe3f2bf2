/** Issuing invoices, reading them back, and downloading their PDF in two steps. */
import { createHash } from "node:crypto";
import iconv from "iconv-lite";
import { checkInvoice, unlistedRates } from "./invoice-checks.ts";
import {
  type Answer,
  type Asked,
  type Book,
  drawId,
  errorList,
  type Filing,
  type InvoiceBody,
  invoiceErrors,
  ok,
  type Tenant,
  tenantOf,
  type Verdict,
  type World,
} from "./world.ts";

const ATHENS = new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Athens" });

/** The authority's formula (docs/authority.md#uid). */
function makeUid(tenant: Tenant, day: string, branch: number, type: string, series: string, num: number) {
  const identity = [tenant.vat, day, branch, type, series, num].join("-");
  return createHash("sha1").update(iconv.encode(identity, "ISO-8859-7")).digest("hex").toUpperCase();
}

/** The licensed provider's formula (docs/authority.md#authentication-code), which has more members. */
function makeAuthenticationCode({ uid, mark }: Filing): string {
  return createHash("sha1").update(`${uid}-${mark}`).digest("hex").toUpperCase();
}

function branchNumber(tenant: Tenant, id: string | undefined): number {
  return Number(tenant.branches.find((branch) => branch.id === id)?.code ?? 0);
}

function sameReference(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

function authorityErrors(errors: readonly { code: string; message: string }[]): Answer {
  return ok({ status: "myData Errors", errors });
}

export function issueInvoice(asked: Asked, world: World): Answer {
  const tenant = tenantOf(asked);
  const body = asked.body as InvoiceBody;
  const { verdict } = asked;
  if (isRepeat(world, tenant, body))
    return invoiceErrors(["external_id is already used by another invoice"], 422);
  const book = tenant.books.find(({ id }) => id === body.billing_book_id);
  const titles = checkInvoice(body, tenant, book);
  if (titles.length > 0 || book === undefined) return invoiceErrors(titles);
  if (verdict?.kind === "authority_refuses") return authorityErrors(verdict.errors);
  const num = body.num ?? book.number;
  const isTaken = world.filings.some(
    (one) => one.tenant === tenant && one.series === book.series && one.num === num,
  );
  if (isTaken) return invoiceErrors(["num has already been taken"]);
  return respondWith(file(world, tenant, body, book, num, verdict));
}

/** Rejects a second send of a filed document, and records a problem: the client should have looked it up. */
function isRepeat(world: World, tenant: Tenant, { external_id: reference }: InvoiceBody): boolean {
  const earlier = world.filings.find(
    (one) => one.tenant === tenant && sameReference(one.externalId, reference),
  );
  if (earlier === undefined) return false;
  world.problems.push(`POST /invoices: ${reference} was sent again after it had been filed`);
  return true;
}

function file(
  world: World,
  tenant: Tenant,
  body: InvoiceBody,
  book: Book,
  num: number,
  verdict: Verdict | undefined,
): Filing {
  for (const rate of unlistedRates(body)) {
    world.problems.push(
      `POST /invoices: the rate ${String(rate)} is not listed, so the invoice went out without VAT`,
    );
  }
  const day = ATHENS.format(world.nowMs());
  const type = body.invoice_type_code;
  const filing: Filing = {
    id: drawId(world),
    externalId: body.external_id,
    tenant,
    type,
    series: book.series,
    num,
    day,
    mark: `4${String(800_000_000_001 + world.filings.length).padStart(14, "0")}`,
    uid: makeUid(tenant, day, branchNumber(tenant, body.branch), type, book.series, num),
    body,
    state: verdict?.kind === "pending" ? "pending" : "issued",
    pending: verdict?.kind === "pending" ? { ...verdict } : null,
    isPdfStarted: false,
    hiddenFor: 0,
  };
  world.filings.push(filing);
  book.number = Math.max(book.number, num + 1);
  return filing;
}

/** The provider's representation of an invoice, in the responses to sends and queries. */
function respondWith(filing: Filing): Answer {
  const { state, pending, id } = filing;
  const isPending = state === "pending";
  if (isPending && pending?.shape === "short") return ok({ status: "pending", invoice_id: id });
  return ok({
    id,
    external_id: filing.externalId,
    my_data_mark: isPending ? null : filing.mark,
    my_data_uid: filing.uid,
    my_data_qr_url: `https://mydataapidev.aade.gr/TimologioQR/QRInfo?q=${id}`,
    series: filing.series,
    num: filing.num,
    issued_at: filing.day.split("-").reverse().join("-"),
    cancelled_by_mark: null,
    transmission_failure: isPending ? 2 : null,
    wrapp_invoice_url: `https://staging.wrapp.example/i/${id}`,
    wrapp_invoice_url_en: `https://staging.wrapp.example/en/i/${id}`,
    authentication_code: isPending ? null : makeAuthenticationCode(filing),
    ...(isPending ? { status: "pending" } : {}),
  });
}

export function findFiling(world: World, tenant: Tenant, reference: string): Filing | undefined {
  return world.filings.find(
    (one) => one.tenant === tenant && (one.id === reference || sameReference(one.externalId, reference)),
  );
}

/**
 * Finds an invoice by the provider's id or the caller's. Each query that reports it as pending brings the authority's
 * response closer.
 */
export function readInvoice(asked: Asked, world: World): Answer {
  const filing = findFiling(world, tenantOf(asked), asked.params["ref"] ?? "");
  if (filing === undefined || filing.hiddenFor > 0) {
    if (filing !== undefined) filing.hiddenFor -= 1;
    return errorList(404, "Invoice not found");
  }
  const { pending } = filing;
  if (filing.state === "pending" && pending !== null) {
    if (pending.askings > 0) pending.askings -= 1;
    else filing.state = "issued";
  }
  return respondWith(filing);
}

/** The tenant's invoices with issue dates in the range, oldest first. */
export function listInvoices(asked: Asked, world: World): Answer {
  const { query } = asked;
  const [from, to] = [query.get("start_date") ?? "", query.get("end_date") ?? ""];
  const found = world.filings.filter(
    ({ tenant, day }) => tenant === tenantOf(asked) && day >= from && day <= to,
  );
  const page = Number(query.get("page"));
  const size = world.listPageSize;
  return ok({
    invoices: found.slice((page - 1) * size, page * size).map((filing) => respondWith(filing).body),
    total_count: found.length,
    total_pages: Math.ceil(found.length / size),
    current_page: page,
  });
}

/** Finds it by the provider's id only. The first query starts rendering, a later one returns the URL. */
export function makePdf(asked: Asked, world: World): Answer {
  const tenant = tenantOf(asked);
  const filing = world.filings.find((one) => one.tenant === tenant && one.id === asked.params["id"]);
  if (!["el", "en"].includes(asked.query.get("locale") ?? "")) {
    world.problems.push("GET generate_pdf: the locale is el or en");
  }
  if (filing === undefined) return errorList(404, "Invoice not found");
  if (filing.state !== "issued") return errorList(422, "Invoice is not issued");
  if (!filing.isPdfStarted) {
    filing.isPdfStarted = true;
    return ok({ status: "PDF generation started, webhook will be send upon completion" });
  }
  const key = createHash("sha256").update(filing.uid).digest("hex");
  return ok({
    download_url: `${world.origin()}/files/${filing.id}.pdf?X-Amz-Expires=300&X-Amz-Signature=${key}`,
  });
}

/** The provider's file store: the URL is sufficient, and nothing else may be sent along. */
export function downloadPdf(asked: Asked, world: World): Answer {
  const filing = world.filings.find(({ id }) => `${id}.pdf` === asked.params["file"]);
  const key = filing === undefined ? "" : createHash("sha256").update(filing.uid).digest("hex");
  if (filing === undefined || asked.query.get("X-Amz-Signature") !== key) {
    return { status: 403, headers: { "content-type": "application/xml" }, body: Buffer.from("<Error/>") };
  }
  const bytes = Buffer.from(`%PDF-1.4\n% ${filing.mark}\n%%EOF\n`);
  return { status: 200, headers: { "content-type": "application/pdf" }, body: bytes };
}
