/** `fiscal numbering set`: raises the next number of a counter. */
import { DOCUMENT_TYPES } from "../../src/domain/canonical-document.ts";
import { TYPE_WORDS } from "../../src/domain/code-words.ts";
import { setCounter } from "../../src/numbering/counters.ts";
import type { CommandContext } from "../context.ts";
import { chooseMerchant, MERCHANT } from "../merchants/choose-merchant.ts";
import { findMerchant, type MerchantOption } from "../merchants/find-merchant.ts";
import { named } from "../named-code.ts";
import { integer } from "../options.ts";
import { printObject } from "../results.ts";
import { askFor } from "../ui/prompt.ts";
import { wordText } from "../../src/operations/words.ts";
import { verb } from "../define.ts";

/** The largest document number: docs/contract.md#issue-request. */
const NUMBER_MAX = 999_999_999_999;

interface SetOptions extends MerchantOption {
  type?: string;
  series?: string;
  next?: number;
}

const readNext = integer(1, NUMBER_MAX)("--next");

export const defineSet = verb({
  flags: {
    ...MERCHANT,
    "--type <type>": { en: "document type, for example 1.1", el: "τύπος παραστατικού, για παράδειγμα 1.1" },
    "--series <series>": {
      en: "series (default: that of the type)",
      el: "η σειρά (αν λείπει: εκείνη του τύπου)",
    },
    "--next <number>": {
      en: "number of the next document; it can only increase",
      el: "ο αριθμός του επόμενου παραστατικού· μόνο αυξάνεται",
      read: () => readNext,
    },
  },
  examples: ["fiscal --live numbering set --merchant shop --type 1.1 --next 1043"],
  run: setNextNumber,
});

async function setNextNumber(context: CommandContext, options: SetOptions): Promise<void> {
  const { io } = context;
  const merchant = await chooseMerchant(context, options.merchant);
  const typeText = await askFor(io, options.type, {
    flag: "--type",
    message: { en: "Document type", el: "Τύπος παραστατικού" },
  });
  const nextText = await askFor(io, options.next?.toString(), {
    flag: "--next",
    message: { en: "Next number", el: "Επόμενος αριθμός" },
  });
  const type = named(DOCUMENT_TYPES, TYPE_WORDS)("--type")(typeText);
  const nextNumber = readNext(nextText);
  const counter = await context.withAppliance(async (appliance, mode) => {
    const { id } = await findMerchant(appliance, merchant);
    return setCounter(appliance, { mode, merchantId: id, type, series: options.series, nextNumber });
  });
  await printObject(context, counter, [
    [{ en: "supplier", el: "εκδότης" }, counter.supplier],
    [{ en: "branch", el: "εγκατάσταση" }, counter.branch],
    [{ en: "type", el: "τύπος" }, counter.type],
    [{ en: "mode", el: "λειτουργία" }, wordText(counter.mode)],
    [{ en: "series", el: "σειρά" }, counter.series],
    [{ en: "next number", el: "επόμενος αριθμός" }, counter.next_number],
  ]);
}
