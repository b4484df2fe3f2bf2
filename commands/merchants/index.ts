/** `fiscal merchants`: the businesses on whose behalf documents are issued. */
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";
import { addCommands, type LazyCommand } from "../lazy-commands.ts";
import { addExamples } from "../options.ts";

const VERBS: readonly LazyCommand[] = [
  {
    name: "add",
    summary: { en: "add a merchant", el: "προσθέτει επιχείρηση" },
    load: async () => (await import("./add.ts")).defineAdd,
  },
  {
    name: "update",
    arguments: "<merchant>",
    summary: { en: "change a merchant's details", el: "αλλάζει τα στοιχεία μιας επιχείρησης" },
    load: async () => (await import("./update.ts")).defineUpdate,
  },
  {
    name: "settings",
    arguments: "<merchant>",
    summary: {
      en: "show the settings of the mode (classification, numbering, paper, VAT on payment), or replace all of them from a JSON file",
      el: "δείχνει τις ρυθμίσεις της λειτουργίας (χαρακτηρισμοί, αρίθμηση, έντυπο, ΦΠΑ κατά την είσπραξη) ή τις αντικαθιστά όλες από αρχείο JSON",
    },
    load: async () => (await import("./settings.ts")).defineSettings,
  },
  {
    name: "list",
    summary: { en: "list merchants, newest first", el: "επιχειρήσεις, πρώτα οι νεότερες" },
    load: async () => (await import("./list.ts")).defineList,
  },
  {
    name: "show",
    arguments: "<merchant>",
    summary: { en: "show one merchant", el: "μία επιχείρηση" },
    load: async () => (await import("./show.ts")).defineShow,
  },
  {
    name: "archive",
    arguments: "<merchant>",
    summary: { en: "stop issuing for a merchant", el: "παύει η έκδοση για μια επιχείρηση" },
    load: async () => (await import("./archive.ts")).defineArchive,
  },
  {
    name: "unarchive",
    arguments: "<merchant>",
    summary: { en: "issue for an archived merchant again", el: "ξαναρχίζει η έκδοση για μια επιχείρηση" },
    load: async () => (await import("./unarchive.ts")).defineUnarchive,
  },
];

export function defineMerchants(noun: Command, context: CommandContext): void {
  addCommands(noun, context, VERBS);
  addExamples(
    noun,
    context,
    'fiscal merchants add --external-id bakery --name "Παράδειγμα Α.Ε." --tax-id 123456783',
    "fiscal merchants show shop",
  );
}
