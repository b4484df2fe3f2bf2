/** `fiscal numbering show`: the counters in use. */
import { type CounterObject, listCounters } from "../../src/numbering/counters.ts";
import type { CommandContext } from "../context.ts";
import { type MerchantOption, merchantIdOf } from "../merchants/find-merchant.ts";
import { printShortList } from "../results.ts";
import type { Column } from "../../src/operations/view.ts";
import { verb } from "../define.ts";

export const defineShow = verb({
  flags: {
    "--merchant <merchant>": {
      en: "only for this merchant's tax number: id or external id",
      el: "μόνο του ΑΦΜ αυτής της επιχείρησης: id ή εξωτερικό id",
    },
  },
  examples: ["fiscal numbering show --merchant shop"],
  run: showCounters,
});

const COLUMNS: readonly Column<CounterObject>[] = [
  { head: { en: "supplier", el: "εκδότης" }, value: (counter) => counter.supplier },
  {
    head: { en: "branch", el: "εγκατάσταση" },
    leaveOut: 1,
    align: "right",
    value: (counter) => String(counter.branch),
  },
  { head: { en: "type", el: "τύπος" }, value: (counter) => counter.type },
  { head: { en: "series", el: "σειρά" }, value: (counter) => counter.series },
  {
    head: { en: "next number", el: "επόμενος αριθμός" },
    align: "right",
    value: (counter) => String(counter.next_number),
  },
  {
    head: { en: "released", el: "αποδεσμευμένοι" },
    value: (counter) => counter.released.join(", ") || "-",
  },
];

async function showCounters(context: CommandContext, { merchant }: MerchantOption): Promise<void> {
  const counters = await context.withAppliance(async (appliance, mode) =>
    listCounters(appliance, { mode, merchantId: await merchantIdOf(appliance, merchant) }),
  );
  await printShortList(context, counters, {
    columns: COLUMNS,
    none: {
      en: "No counters yet: the first document of a series creates one.",
      el: "Δεν υπάρχουν ακόμη μετρητές: τον δημιουργεί το πρώτο παραστατικό μιας σειράς.",
    },
  });
}
