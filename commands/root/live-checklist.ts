/** `fiscal doctor --live-checklist`: whether a merchant is ready to issue in live mode. */
import type { Appliance } from "../../src/appliance.ts";
import type { Text } from "../../src/foundation/text.ts";
import type { MerchantObject } from "../../src/merchants/merchant-object.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode, UsageError } from "../exit.ts";
import { printLine } from "../io.ts";
import { noMerchants } from "../merchants/choose-merchant.ts";
import { findMerchant } from "../merchants/find-merchant.ts";
import { printJson } from "../ui/json.ts";
import { printTable } from "../ui/table.ts";

/** Exits with 0 if everything is ready, otherwise with 1. */
export async function printLiveChecklist(
  context: CommandContext,
  named: string | undefined,
): Promise<ExitCode> {
  const { checkLiveReadiness } = await import("../../src/upkeep/live-checklist.ts");
  const { CHECKLIST_COLUMNS } = await import("../../src/operations/view.ts");
  return context.withAppliance(async (appliance) => {
    const merchant =
      named === undefined ? await onlyMerchant(appliance) : await findMerchant(appliance, named);
    const items = await checkLiveReadiness(appliance, merchant);
    const isReady = items.every(({ ok }) => ok);
    if (context.options.json === true)
      await printJson(context.io, {
        merchant: merchant.external_id,
        items: items.map(({ id, ok, what }) => ({ id, ok, what: what.en })),
      });
    else {
      await printTable(context.io, CHECKLIST_COLUMNS, items);
      await printLine(context.io, summaryOf(merchant, isReady));
    }
    return isReady ? EXIT.done : EXIT.failure;
  });
}

async function onlyMerchant(appliance: Appliance): Promise<MerchantObject> {
  const { listActiveMerchants } = await import("../../src/merchants/merchants.ts");
  const [first, second] = await listActiveMerchants(appliance);
  if (first === undefined) throw noMerchants();
  if (second !== undefined)
    throw new UsageError({
      en: "there are several merchants; name one with --merchant",
      el: "υπάρχουν πολλές επιχειρήσεις· ορίστε μία με --merchant",
    });
  return first;
}

function summaryOf({ name }: MerchantObject, isReady: boolean): Text {
  return isReady
    ? {
        en: `${name} is ready for live mode.`,
        el: `Η επιχείρηση ${name} είναι έτοιμη για την παραγωγική λειτουργία.`,
      }
    : {
        en: `${name} is not ready for live mode; docs/going-live.md explains each point.`,
        el: `Η επιχείρηση ${name} δεν είναι έτοιμη για την παραγωγική λειτουργία· το docs/going-live.md εξηγεί κάθε σημείο.`,
      };
}
