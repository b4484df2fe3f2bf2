/** The form that emails the PDF of a document. */
import { TEXTS } from "./messages.ts";
import type { Text } from "../../../src/foundation/text.ts";
import { documentPath } from "./document-parts.ts";
import { html, type Markup } from "../markup.ts";
import type { Visit } from "./visit.ts";

export interface MailForm {
  document: string;
  /** With the same key and address, the form sends once. */
  key: string;
  /** As typed, or suggested. */
  to: string;
  mistake?: Text | undefined;
  /** On a page of its own. */
  isAlone?: boolean;
}

/** RFC 5321 allows 254 characters; more are refused with a message instead of being cut off. */
const TYPED_MAX = 500;

/** The form has `novalidate` because the server reports mistakes in the page's language. */
export function mailForm(
  { translate, csrf }: Visit,
  { document, key, to, mistake, isAlone }: MailForm,
): Markup {
  const trouble = mistake !== undefined && html` aria-invalid="true" aria-describedby="to-mistake" autofocus`;
  return html`<form method="post" action="${documentPath(document)}/mails" class="stack" data-keep novalidate>
<input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="key" value="${key}">
<div class="narrow"><label for="to">${translate(TEXTS.mailAddress)}</label><input id="to" name="to" type="email" maxlength="${TYPED_MAX}" value="${to}"${trouble}>${
    mistake !== undefined && html`<p class="mistake" id="to-mistake">${translate(mistake)}</p>`
  }</div>
<div class="actions"><button>${translate(TEXTS.sendPdf)}</button>${
    isAlone === true &&
    html`<a class="button" href="${documentPath(document)}">${translate(TEXTS.backUnchanged)}</a>`
  }</div>
</form>`;
}
