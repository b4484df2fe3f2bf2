/** The merchant that issues a new document: chosen before anything else if there are several. */
import { typeInfo } from "../../../../src/domain/document-types.ts";
import { findLast, NEW_TYPES } from "../../../../src/documents/new-document.ts";
import { listActiveMerchants } from "../../../../src/merchants/merchants.ts";
import { html } from "../../markup.ts";
import { TEXTS } from "../messages.ts";
import type { Page, Visit } from "../visit.ts";
import { fieldsOf, firstRows, type NewEntry, newEntry } from "./entry.ts";
import { CHANGE_PATH } from "./form.ts";
import { hiddenFields, menuOptions } from "../parts.ts";

/** The merchant that the link names, or the one that this browser works for, if it is active. */
export async function findMerchant({ appliance, query, merchant }: Visit): Promise<string | undefined> {
  const active = new Set((await listActiveMerchants(appliance)).map(({ id }) => id));
  return (
    [query.get("merchant"), merchant?.id].find((id) => typeof id === "string" && active.has(id)) ?? undefined
  );
}

/** Keeps what was entered before. */
export async function merchantPage(visit: Visit, entry?: NewEntry): Promise<Page> {
  const { translate, csrf, appliance } = visit;
  const merchants = await listActiveMerchants(appliance);
  const chosen = entry?.fields.merchant;
  const options = menuOptions(
    merchants.map(({ id, name, tax_id: taxId }) => ({
      value: id,
      text: [name, taxId].filter((text) => text !== null).join(" · "),
    })),
    chosen,
  );
  const kept = entry === undefined ? [] : fieldsOf(entry).filter(([name]) => name !== "merchant");
  const hidden = hiddenFields(kept);
  const content =
    merchants.length === 0
      ? html`<p>${translate(TEXTS.noMerchants)}</p>`
      : html`<section class="narrow"><form method="post" action="${CHANGE_PATH}" class="stack"><input type="hidden" name="csrf" value="${csrf}">${hidden}<div><label for="merchant">${translate(TEXTS.chooseMerchant)}</label><select id="merchant" name="merchant">${options}</select></div><div class="actions"><button class="primary">${translate(TEXTS.continue)}</button><a class="button" href="/console/documents">${translate(TEXTS.backUnchanged)}</a></div></form></section>`;
  return { kind: "page", title: translate(TEXTS.newDocument), content };
}

/** An empty form with what the merchant's last document suggests. */
export async function suggestedEntry({ appliance, mode }: Visit, merchant: string): Promise<NewEntry> {
  const last = await findLast(appliance, mode, merchant);
  const type = NEW_TYPES.find((candidate) => candidate === last?.type) ?? NEW_TYPES[0]!;
  const { isRetail, defaultPaymentMethod } = typeInfo(type);
  const given = {
    merchant,
    type,
    issue_date: appliance.clock.today(),
    prices: isRetail ? "gross" : "net",
    payment: last?.type === type ? last.payment : defaultPaymentMethod,
  };
  return newEntry(given, firstRows(last?.category ?? "standard"));
}
