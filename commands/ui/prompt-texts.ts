/** The texts that @inquirer/prompts itself shows, in the language of the person at the terminal. */
import { styleText } from "node:util";
import type { Text } from "../../src/foundation/text.ts";
import { inLanguage, type ProgramIo } from "../io.ts";

const YES: Text = { en: "Yes", el: "ΝΑΙ" };
/** In capitals, which have no accent: it can be typed with one key. */
const NO: Text = { en: "No", el: "ΟΧΙ" };

export function promptTexts(io: ProgramIo) {
  const text = (both: Text) => inLanguage(io, both);
  const navigate = text({ en: "navigate", el: "μετακίνηση" });
  const select = text({ en: "select", el: "επιλογή" });
  const chooseKeys = keyHelp([
    ["↑↓", navigate],
    ["⏎", select],
  ]);
  return {
    /** A `validate` that rejects an empty answer. */
    requireValue: (value: string) =>
      value !== "" || text({ en: "You must provide a value", el: "Χρειάζεται τιμή" }),
    confirmTheme: {
      keywords: {
        yes: text(YES),
        no: text(NO),
        error: () => text({ en: 'Answer "Yes" or "No"', el: "Απαντήστε με «ΝΑΙ» ή «ΟΧΙ»" }),
      },
    },
    passwordTheme: {
      style: {
        maskedText: text({ en: "[input is hidden]", el: "[δεν εμφανίζεται]" }),
        keysHelpTip: () => keyHelp([["ctrl+t", text({ en: "show or hide", el: "εμφάνιση ή απόκρυψη" })]]),
      },
    },
    selectTheme: { style: { keysHelpTip: () => chooseKeys } },
    searchTexts: {
      noResults: text({ en: "No results found", el: "Κανένα αποτέλεσμα" }),
      keysHelp: chooseKeys,
    },
  };
}

function keyHelp(keys: readonly (readonly [key: string, action: string])[]): string {
  return keys.map(([key, action]) => `${styleText("bold", key)} ${styleText("dim", action)}`).join(" • ");
}
