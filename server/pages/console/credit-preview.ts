/** The preview of a credit note, with the button that issues it. */
import { TEXTS } from "./messages.ts";
import type { CreditPreview } from "../../../src/documents/credit.ts";
import { type CreditEntry, quantityField } from "./credit-form.ts";
import type { CreditSource } from "./credit-source.ts";
import { previewSections } from "./document-contents.ts";
import { formatDay, formatMoney } from "./format.ts";
import { html, type Markup } from "../markup.ts";
import type { Visit } from "./visit.ts";
import { hiddenFields } from "./parts.ts";

export interface PreviewedCredit {
  source: CreditSource;
  entry: CreditEntry;
  preview: CreditPreview;
}

export function creditPreview(visit: Visit, credit: PreviewedCredit): Markup {
  const { source, preview } = credit;
  const more = [[visit.translate(TEXTS.creditedDocument), source.link]] as const;
  const { merchantName } = source;
  return html`${previewSections(visit, { examination: preview, merchantName, more })}
${confirmation(visit, credit)}`;
}

/** In live mode it asks with the merchant, the sum and the date (docs/contract.md#confirmation-in-live-mode). */
function confirmation(visit: Visit, { source, entry, preview }: PreviewedCredit): Markup {
  const { translate, language, csrf, mode } = visit;
  const { path, back, merchantName } = source;
  const gross = formatMoney(language, preview.object.totals.gross);
  const day = formatDay(language, preview.document.issue_date);
  const hidden = hiddenFields(
    Object.entries({
      csrf,
      key: entry.key,
      ...source.fields,
      ...shownFields(entry, preview),
    }),
  );
  return html`<section><form method="post" action="${path}" class="stack">${hidden}${
    mode === "live" &&
    html`<p><strong>${translate(TEXTS.creditQuestion(merchantName, gross, day))}</strong></p>`
  }<div class="actions"><button class="primary">${translate(TEXTS.issueCreditNote)}</button><button formaction="${path}/change">${translate(TEXTS.change)}</button><a class="button" href="${back}">${translate(TEXTS.backUnchanged)}</a></div></form></section>`;
}

/** What is typed, and the date and amounts shown for what is not. */
function shownFields({ quantities }: CreditEntry, { document, parts }: CreditPreview) {
  const fields: Record<string, string> = { issue_date: document.issue_date };
  for (const [line, typed] of quantities) fields[quantityField(line)] = typed;
  for (const { line, net } of parts)
    if ((quantities.get(line) ?? "") === "") fields[`net-${line}`] = String(net);
  return fields;
}
