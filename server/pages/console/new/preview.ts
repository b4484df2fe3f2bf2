/** The preview of a new document, with the button that issues it. */
import type { Examination } from "../../../../src/documents/preview.ts";
import type { MerchantObject } from "../../../../src/merchants/merchant-object.ts";
import type { Text } from "../../../../src/foundation/text.ts";
import { html, type Markup } from "../../markup.ts";
import { previewSections } from "../document-contents.ts";
import { formatDay, formatMoney } from "../format.ts";
import { TEXTS } from "../messages.ts";
import type { Visit } from "../visit.ts";
import type { Composed } from "./compose.ts";
import { fieldsOf, type NewEntry } from "./entry.ts";
import { CHANGE_PATH } from "./form.ts";
import { hiddenFields } from "../parts.ts";

/** The name of the field that says what was confirmed. */
export const CONFIRMED = "confirmed";

/** What the person confirms: only this is issued. */
export function confirmationOf({ mode }: Visit, { body }: Composed): string {
  return `${mode} ${body.merchant} ${body.document.totals.gross}`;
}

export interface NewPreview {
  entry: NewEntry;
  composed: Composed;
  merchant: MerchantObject;
  examination: Examination;
  notes: readonly Text[];
}

export function newPreview(visit: Visit, preview: NewPreview): Markup {
  const { examination, merchant, notes } = preview;
  return html`${previewSections(visit, { examination, merchantName: merchant.name, notes })}${confirmation(visit, preview)}`;
}

/** In live mode it asks with the merchant, the count, the sum and the date (docs/contract.md#confirmation-in-live-mode). */
function confirmation(visit: Visit, { entry, composed, merchant, examination }: NewPreview): Markup {
  const { translate, language, csrf, mode } = visit;
  const gross = formatMoney(language, examination.object.totals.gross);
  const day = formatDay(language, examination.document.issue_date);
  const hidden = hiddenFields([
    ["csrf", csrf],
    [CONFIRMED, confirmationOf(visit, composed)],
    ...fieldsOf(entry),
  ]);
  return html`<section><form method="post" action="/console/new" class="stack">${hidden}${
    mode === "live" &&
    html`<p><strong>${translate(TEXTS.newQuestion(merchant.name, gross, day))}</strong></p>`
  }<div class="actions"><button class="primary">${translate(TEXTS.issueDocument)}</button><button formaction="${CHANGE_PATH}">${translate(TEXTS.change)}</button><a class="button" href="/console/documents">${translate(TEXTS.backUnchanged)}</a></div></form></section>`;
}
