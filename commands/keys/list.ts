/** `fiscal keys list`: all API keys. */
import { type KeyObject, listKeys } from "../../src/keys/api-keys.ts";
import type { CommandContext } from "../context.ts";
import { printShortList } from "../results.ts";
import type { Column } from "../../src/operations/view.ts";
import { instantText, optionalInstantText } from "../../src/operations/values.ts";
import { wordText } from "../../src/operations/words.ts";
import { verb } from "../define.ts";

export const defineList = verb({
  examples: ["fiscal keys list"],
  run: list,
});

const COLUMNS: readonly Column<KeyObject>[] = [
  { head: "id", value: (key) => key.id },
  { head: { en: "mode", el: "λειτουργία" }, value: (key) => wordText(key.mode) },
  { head: { en: "name", el: "όνομα" }, shortens: true, value: (key) => key.name },
  { head: { en: "ends in", el: "τελειώνει σε" }, leaveOut: 4, value: (key) => `…${key.last4}` },
  { head: { en: "created", el: "δημιουργία" }, leaveOut: 1, value: (key) => instantText(key.created) },
  {
    head: { en: "last used", el: "τελευταία χρήση" },
    leaveOut: 2,
    value: (key) => optionalInstantText(key.last_used_at),
  },
  {
    head: { en: "expires", el: "λήγει" },
    leaveOut: 3,
    value: (key) => (key.expires_at === null ? wordText("never") : instantText(key.expires_at)),
  },
  { head: { en: "revoked", el: "καταργήθηκε" }, value: (key) => optionalInstantText(key.revoked_at) },
];

async function list(context: CommandContext): Promise<void> {
  const keys = await context.withAppliance((appliance) => listKeys(appliance));
  await printShortList(context, keys, {
    columns: COLUMNS,
    none: {
      en: "No keys. Create one with `fiscal keys create`.",
      el: "Δεν υπάρχουν κλειδιά. Δημιουργήστε ένα με `fiscal keys create`.",
    },
  });
}
