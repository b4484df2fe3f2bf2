/** The form of the reports: the period, as links and as days, and the merchant. */
import type { MerchantObject } from "../../../src/merchants/merchant-object.ts";
import { html, type Markup } from "../markup.ts";
import { filterForm } from "./filters.ts";
import { TEXTS } from "./messages.ts";
import { type Days, usualPeriods } from "./report-period.ts";
import type { Visit } from "./visit.ts";

export function periodForm(visit: Visit, days: Days, merchants: readonly MerchantObject[]): Markup {
  const { appliance, translate, query } = visit;
  const links = usualPeriods(appliance.clock.today()).map(
    ({ name, days: usual }) =>
      html`<li><a href="/console/reports?${addressOf(visit, usual)}">${translate(name)}</a></li>`,
  );
  const shown = new URLSearchParams({ ...Object.fromEntries(query), from: days.from, to: days.through });
  const form = filterForm({ ...visit, query: shown }, [
    { name: "from", label: translate(TEXTS.from), type: "date" },
    { name: "to", label: translate(TEXTS.to), type: "date" },
    {
      name: "merchant",
      label: translate(TEXTS.merchant),
      options: merchants.map(({ id, name }) => ({ value: id, text: name })),
    },
  ]);
  return html`<nav aria-label="${translate(TEXTS.periods)}"><ul class="choices">${links}</ul></nav>${form}`;
}

/** The query of the shown merchant and `days`. */
export function addressOf({ query }: Visit, { from, through }: Days): string {
  const merchant = query.get("merchant") ?? "";
  return String(new URLSearchParams({ from, to: through, ...(merchant === "" ? {} : { merchant }) }));
}
