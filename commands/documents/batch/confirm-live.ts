/** The question before documents are issued in live mode, with what they are (docs/contract.md#confirmation-in-live-mode). */
import type { Appliance } from "../../../src/appliance.ts";
import { daysText } from "../../../src/foundation/days.ts";
import { joinTexts, SEMICOLON, type Text } from "../../../src/foundation/text.ts";
import { findMerchantByName } from "../../../src/merchants/merchants.ts";
import { confirmChange, type YesOption } from "../../confirmation.ts";
import type { CommandContext } from "../../context.ts";
import { UsageError } from "../../exit.ts";
import { type ProgramIo, printProblem } from "../../io.ts";
import { canPrompt } from "../../ui/prompt.ts";
import { countText, moneyText } from "../../../src/operations/view.ts";
import { type BatchOptions, checkBatch } from "./run-batch.ts";

/** Throws UsageError where nobody can be asked: without a terminal, or when the documents come from standard input. */
export function requireYes(io: ProgramIo, files: readonly string[], { yes }: YesOption): void {
  if (yes === true || (canPrompt(io) && !files.includes("-"))) return;
  throw new UsageError({
    en: "--yes is missing: in live mode documents are issued only after a confirmation, which cannot be asked for here",
    el: "λείπει η --yes: στην παραγωγική λειτουργία η έκδοση γίνεται μόνο με επιβεβαίωση, που εδώ δεν μπορεί να ζητηθεί",
  });
}

/** Checks the files, shows merchant, number of documents, sum and issue dates, and asks whether to issue them. */
export async function confirmLive(
  context: CommandContext,
  appliance: Appliance,
  options: BatchOptions,
  yes: YesOption,
): Promise<boolean> {
  if (yes.yes === true) return true;
  const { io } = context;
  const { shares, invalid } = await summarise(io, appliance, options);
  for (const [merchant, { count, gross, first, last }] of shares) {
    const { name } = await findMerchantByName(appliance, merchant);
    const documents = countText(count);
    const sum = moneyText(gross);
    const days = daysText(first, last);
    await printProblem(io, {
      en: `${name}: documents ${documents.en}, total ${sum.en}, dated ${days.en}`,
      el: `${name}: παραστατικά ${documents.el}, σύνολο ${sum.el}, με ημερομηνία ${days.el}`,
    });
  }
  if (invalid > 0) await printProblem(io, describeInvalid(invalid));
  // There is nothing to issue, so nothing to confirm: the run reports why.
  if (shares.size === 0) return true;
  return confirmChange(context, yes, {
    en: "Issue them in live mode? A tax document cannot be unsent.",
    el: "Να εκδοθούν στην παραγωγική λειτουργία; Ένα παραστατικό που στάλθηκε δεν παίρνεται πίσω.",
  });
}

function describeInvalid(invalid: number): Text {
  const { en, el } = countText(invalid);
  return joinTexts(
    [
      { en: `not valid, and left out: ${en}`, el: `άκυρα, που μένουν εκτός: ${el}` },
      { en: "--dry-run lists them", el: "τα δείχνει η --dry-run" },
    ],
    SEMICOLON,
  );
}

interface Share {
  count: number;
  /** Cents. */
  gross: bigint;
  /** The earliest and the latest issue date. */
  first: string;
  last: string;
}

/** By merchant, in the order of the files. */
async function summarise(
  io: ProgramIo,
  appliance: Appliance,
  options: BatchOptions,
): Promise<{ shares: ReadonlyMap<string, Share>; invalid: number }> {
  const shares = new Map<string, Share>();
  let invalid = 0;
  for (const verdict of await checkBatch(io, appliance, "live", options)) {
    if (verdict.outcome !== "valid") {
      invalid += 1;
      continue;
    }
    const { issue_date: day, totals } = verdict.check;
    const share = shares.get(verdict.merchant) ?? { count: 0, gross: 0n, first: day, last: day };
    shares.set(verdict.merchant, share);
    share.count += 1;
    share.gross += BigInt(totals.gross);
    if (day < share.first) share.first = day;
    if (day > share.last) share.last = day;
  }
  return { shares, invalid };
}
