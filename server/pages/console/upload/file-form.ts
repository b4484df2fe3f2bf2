/** The form that takes a merchant and a file. */
import type { Text } from "../../../../src/foundation/text.ts";
import { listMerchants } from "../../../../src/merchants/merchants.ts";
import { html, type Markup } from "../../markup.ts";
import { TEXTS } from "../messages.ts";
import type { Visit } from "../visit.ts";
import { menuOptions } from "../parts.ts";

const MERCHANTS_MAX = 100;

interface FileForm {
  key: string;
  /** Id, as chosen. */
  merchant: string;
  mistakes?: { merchant?: Text; file?: Text };
}

/** The form has `novalidate` because the server reports mistakes in the page's language. */
export async function fileForm(visit: Visit, { key, merchant, mistakes = {} }: FileForm): Promise<Markup> {
  const { appliance, translate, csrf } = visit;
  const { data } = await listMerchants(appliance, { archived: false, limit: MERCHANTS_MAX });
  const isOnly = data.length === 1;
  const options = menuOptions(
    data.map(({ id, name, external_id: external }) => ({ value: id, text: `${name} (${external})` })),
    isOnly ? data[0]!.id : merchant,
  );
  return html`<section><form method="post" action="/console/upload" enctype="multipart/form-data" class="stack narrow" data-keep novalidate>
<input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="key" value="${key}">
<p class="hint">${translate(TEXTS.uploadNote)}</p>
<div><label for="merchant">${translate(TEXTS.uploadMerchant)}</label><select id="merchant" name="merchant"${troubleOf("merchant", mistakes.merchant)}${mistakes.merchant !== undefined && html` autofocus`}>${!isOnly && html`<option value=""></option>`}${options}</select>${mistakeOf(visit, "merchant", mistakes.merchant)}</div>
<div><label for="file">${translate(TEXTS.uploadFile)}</label><input id="file" name="file" type="file" accept=".csv,.xlsx"${troubleOf("file", mistakes.file)}${mistakes.file !== undefined && mistakes.merchant === undefined && html` autofocus`}>${mistakeOf(visit, "file", mistakes.file)}</div>
<div class="actions"><button class="primary">${translate(TEXTS.uploadRead)}</button></div>
</form></section>`;
}

export function troubleOf(name: string, mistake: Text | undefined): Markup | undefined {
  if (mistake === undefined) return undefined;
  return html` aria-invalid="true" aria-describedby="${name}-mistake"`;
}

export function mistakeOf({ translate }: Visit, name: string, mistake: Text | undefined): Markup | undefined {
  if (mistake === undefined) return undefined;
  return html`<p class="mistake" id="${name}-mistake">${translate(mistake)}</p>`;
}
