/** Renders PDFs one after the other, and a sample: a made-up invoice that shows a merchant's paper before its first document. */
import { buildStationery, buildPaper, type Paper } from "./paper.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Context } from "../journal/context.ts";
import { readPaper, requireIssuingMerchant } from "../merchants/settings.ts";
import { createTurns, type Refusal, takeTurn, type Turns } from "../foundation/turns.ts";

/** A PDF of a thousand lines takes half a second and 40 MB; several at once would block everything else. */
const ONE_AT_A_TIME = { max: 1, waitingMax: 30, waitMs: 60_000 };
/** Requests with test keys do not keep live ones waiting. */
const RENDERING: Readonly<Record<Mode, Turns>> = {
  test: createTurns(ONE_AT_A_TIME),
  live: createTurns(ONE_AT_A_TIME),
};
const TOO_MANY: Refusal = {
  text: {
    en: "Too many PDFs at once; ask again in a moment",
    el: "Ζητήθηκαν πολλά PDF ταυτόχρονα· δοκιμάστε ξανά σε λίγο",
  },
  retryAfterSeconds: 2,
};

/** What `render` returns. Throws `service_unavailable` where too many PDFs are being rendered. */
export async function renderInTurn<T>(mode: Mode, render: () => Promise<T>): Promise<T> {
  const endTurn = await takeTurn(RENDERING[mode], TOO_MANY);
  try {
    return await render();
  } finally {
    endTurn();
  }
}

export function renderPaper(paper: Paper, mode: Mode): Promise<Buffer<ArrayBuffer>> {
  // Loads pdfkit and the fonts only when the first PDF is rendered.
  return renderInTurn(mode, async () => (await import("./render-pdf.ts")).renderPdf(paper));
}

/** Throws `not_found`, and `service_unavailable` where too many PDFs are being rendered. */
export async function renderSample(context: Context, id: string, mode: Mode): Promise<Buffer<ArrayBuffer>> {
  const merchant = await requireIssuingMerchant(context.store.read, id, mode);
  const totals = { net: 10_000, vat: 2400, gross: 12_400 };
  const paper = buildPaper({
    format: "a4",
    document: {
      type: "1.1",
      issue_date: context.clock.today(),
      currency: "EUR",
      supplier: {
        tax_id: { country: "GR", code: merchant.tax_id ?? "000000000" },
        branch: merchant.branch,
      },
      lines: [
        {
          description: "Δείγμα / Sample",
          quantity: "2",
          unit: "piece",
          unit_price: 5000,
          vat_category: "standard",
        },
      ],
      totals,
    },
    sentType: "1.1",
    // Whatever the mode: it is no document.
    isTest: true,
    issuedThrough: { en: "sample", el: "δείγμα" },
    series: "TIM",
    number: 1,
    mark: "400000000000000",
    uid: null,
    qrUrl: null,
    authenticationCode: null,
    reference: null,
    cancellation: undefined,
    merchantName: merchant.name,
    originals: [],
    payments: [{ method: "on_credit", amount: totals.gross }],
    vatPaymentSuspension: false,
    stationery: buildStationery(readPaper(merchant.settings_json), merchant.branch),
    issuedAt: new Date(context.clock.nowMs()),
  });
  return renderPaper(paper, mode);
}
