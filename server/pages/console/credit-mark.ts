/** The form that asks for a document that was not issued here: its merchant and its MARK. */
import { TEXTS } from "./messages.ts";
import { AppError } from "../../../src/foundation/errors.ts";
import { listMerchants } from "../../../src/merchants/merchants.ts";
import { failureOf } from "../../errors.ts";
import { type CreditEntry, quantityField, readEntry } from "./credit-entry.ts";
import { ELSEWHERE_PATH, readNames } from "./credit-source.ts";
import { readFormKey } from "./form-key.ts";
import { html, type Markup } from "../markup.ts";
import { alert, errorText, hiddenFields, menuOptions } from "./parts.ts";
import type { Page, Visit } from "./visit.ts";

/** Limits the menu. */
const MERCHANT_OPTIONS_MAX = 100;

/** With `error`, why the document that was asked for cannot be credited. */
export async function markForm(visit: Visit, error?: AppError): Promise<Page> {
  const { translate, csrf } = visit;
  const { mark } = readNames(visit);
  const mistake = error?.problems.find(({ path }) => path === "mark")?.message;
  const described = mistake !== undefined && html` aria-invalid="true" aria-describedby="mark-mistake"`;
  const content = html`${error !== undefined && alert(html`<p>${errorText(translate, error.toOutcomeError())}</p>`)}<section class="narrow"><form method="post" action="${ELSEWHERE_PATH}/lines" class="stack" data-keep novalidate>
<input type="hidden" name="csrf" value="${csrf}">
${keptFields(visit)}<p>${translate(TEXTS.creditElsewhereNote)}</p>
<div><label for="merchant">${translate(TEXTS.merchant)}</label><select id="merchant" name="merchant">${await merchantOptions(visit)}</select></div>
<div><label for="mark">${translate(TEXTS.mark)}</label><input id="mark" name="mark" type="text" inputmode="numeric" maxlength="19" value="${mark}"${described}>${
    mistake !== undefined && html`<p class="mistake" id="mark-mistake">${translate(mistake)}</p>`
  }</div>
<div class="actions"><button class="primary">${translate(TEXTS.readLines)}</button><a class="button" href="/console/documents">${translate(TEXTS.backUnchanged)}</a></div>
</form></section>`;
  const page: Page = { kind: "page", title: translate(TEXTS.creditElsewhere), content };
  if (error === undefined) return page;
  const { status, retryAfterSeconds } = failureOf(error);
  return { ...page, status, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
}

/** Names the document that the kept entry is for. */
const ENTERED_FOR = "entered_for";

/** The key, and what was entered in the credit form, so that it is not lost if the document could not be read again. */
function keptFields(visit: Visit): Markup[] {
  const entered = enteredFor(visit);
  const { merchant, mark } = readNames(visit);
  const fields: [string, string][] =
    entered === undefined
      ? [["key", readFormKey(visit.form)]]
      : [
          [ENTERED_FOR, `${merchant} ${mark}`],
          ["key", entered.key],
          ["issue_date", entered.issueDate],
          ...[...entered.quantities].map(([line, quantity]): [string, string] => [
            quantityField(line),
            quantity,
          ]),
        ];
  return hiddenFields(fields);
}

/** What was entered for the document that the form names. Undefined if nothing was, or if it was for another document. */
export function enteredFor(visit: Visit): CreditEntry | undefined {
  const { form } = visit;
  const { merchant, mark } = readNames(visit);
  const isForOther = (form.get(ENTERED_FOR) ?? `${merchant} ${mark}`) !== `${merchant} ${mark}`;
  return isForOther || !form.has("issue_date") ? undefined : readEntry(form);
}

async function merchantOptions(visit: Visit): Promise<Markup[]> {
  const { data } = await listMerchants(visit.appliance, { limit: MERCHANT_OPTIONS_MAX });
  const chosen = readNames(visit).merchant;
  return menuOptions(
    data.map(({ id, name }) => ({ value: id, text: name })),
    chosen,
  );
}
