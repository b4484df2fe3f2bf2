/** Renders a made-up invoice on the merchant's paper, to look at before the first document. */
import type { Mode } from "../../storage/stored-values.ts";
import type { Context } from "../journal/context.ts";
import { readPaper, requireIssuingMerchant } from "../merchants/settings.ts";
import { renderInTurn } from "./document-pdf.ts";
import { buildStationery, type Paper } from "./paper.ts";

const ITEM = { quantity: "2", unit: "piece", vat_category: "standard", unitPrice: 5000 } as const;

/** Throws `not_found`, and `service_unavailable` where too many PDFs are being rendered. */
export async function renderSample(context: Context, id: string, mode: Mode): Promise<Buffer<ArrayBuffer>> {
  const merchant = await requireIssuingMerchant(context.store.read, id, mode);
  const totals = { net: 10_000, vat: 2400, gross: 12_400 };
  const paper: Paper = {
    format: "a4",
    sentType: "1.1",
    // Whatever the mode: it is no document.
    isTest: true,
    isCreditNote: false,
    isRetail: false,
    issuedThrough: { en: "sample", el: "δείγμα" },
    series: "TIM",
    number: 1,
    issueDate: context.clock.today(),
    mark: "400000000000000",
    uid: null,
    qrUrl: null,
    authenticationCode: null,
    reference: null,
    cancellation: undefined,
    supplier: {
      tax_id: { country: "GR", code: merchant.tax_id ?? "000000000" },
      branch: merchant.branch,
      name: merchant.name,
    },
    customer: undefined,
    originals: [],
    lines: [{ ...ITEM, description: "Δείγμα / Sample", net: totals.net, vat: totals.vat }],
    payments: [{ method: "on_credit", amount: totals.gross }],
    vatRows: [{ category: "standard", exemption: undefined, net: totals.net, vat: totals.vat }],
    vatPaymentSuspension: false,
    totals,
    notes: undefined,
    dueDate: undefined,
    deliveryDate: undefined,
    stationery: buildStationery(readPaper(merchant.settings_json), merchant.branch),
    issuedAt: new Date(context.clock.nowMs()),
  };
  return renderInTurn(paper, mode);
}
