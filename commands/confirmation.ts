/** The `--yes` flag, and the question that it answers, which names what the change is about. */
import type { Mode } from "../src/domain/vocabulary.ts";
import { joinTexts, sameInBoth, type Text } from "../src/foundation/text.ts";
import type { DocumentObject } from "../src/journal/document-object.ts";
import type { Context } from "../src/journal/context.ts";
import { wordText } from "../src/operations/view.ts";
import type { CommandContext } from "./context.ts";
import type { Flags, OptionsOf } from "./define.ts";
import { printNote } from "./io.ts";
import { confirmed } from "./ui/prompt.ts";

export const YES = {
  "--yes": { en: "do not ask for confirmation", el: "χωρίς ερώτηση" },
} satisfies Flags;

export type YesOption = OptionsOf<typeof YES>;

const NOTHING_CHANGED: Text = { en: "Nothing was changed.", el: "Δεν άλλαξε τίποτα." };

export const CANNOT_BE_UNDONE: Text = { en: "This cannot be undone.", el: "Δεν αναιρείται." };
export const BOTH_MODES: Text = { en: "both modes", el: "και στις δύο λειτουργίες" };

/** Asks `question` before a change that cannot be undone. Returns whether to continue; if not, says that nothing changed. */
export async function confirmChange(
  { io }: Pick<CommandContext, "io">,
  { yes }: YesOption,
  question: Text,
  declined = NOTHING_CHANGED,
): Promise<boolean> {
  if (await confirmed(io, yes, question)) return true;
  await printNote(io, declined);
  return false;
}

/** `Cancel with the provider: TIM 17, Muster GmbH, 124.00 EUR, LIVE mode? This cannot be undone.` Null has nothing to say. */
export function questionAbout(
  action: Text,
  about: readonly (Text | string | null)[],
  consequence: Text,
): Text {
  const { en, el } = joinTexts(partsOf(about), ", ");
  return {
    en: `${action.en}: ${en}? ${consequence.en}`,
    el: `${action.el}: ${el}; ${consequence.el}`,
  };
}

export function partsOf(about: readonly (Text | string | null)[]): Text[] {
  return about.flatMap((part) =>
    part === null ? [] : typeof part === "string" ? [sameInBoth(part)] : [part],
  );
}

/** Live is unmistakable. */
export function modeText(mode: Mode): Text {
  return mode === "live"
    ? { en: "LIVE mode", el: "ΠΑΡΑΓΩΓΙΚΗ λειτουργία" }
    : { en: "test mode", el: `${wordText(mode).el} λειτουργία` };
}

/** Its number, customer, amount, merchant and mode. */
export async function describeDocument(
  appliance: Context,
  mode: Mode,
  document: DocumentObject,
): Promise<(Text | string | null)[]> {
  const { readContents } = await import("../src/documents/contents.ts");
  const { formatNumber } = await import("../src/operations/document-view.ts");
  const { moneyText } = await import("../src/operations/view.ts");
  const { getMerchant } = await import("../src/merchants/merchants.ts");
  const { customer } = (await readContents(appliance, mode, document.id)).object.document;
  const { name } = await getMerchant(appliance, document.merchant);
  const isNumbered = document.number !== null;
  return [
    isNumbered ? formatNumber(document) : (document.external_reference ?? document.id),
    customer?.name ?? customer?.tax_id.code ?? null,
    moneyText(document.gross),
    name,
    modeText(mode),
  ];
}
