/** `fiscal documents map`: the column map that is stored for a merchant. */
import { type LazyCommand } from "../lazy-commands.ts";
import { noun } from "../define.ts";

const VERBS: readonly LazyCommand[] = [
  {
    name: "show",
    summary: {
      en: "print the map as a file for --map",
      el: "τυπώνει την αντιστοίχιση ως αρχείο που δέχεται η --map",
    },
    load: async () => (await import("./map/show.ts")).defineShow,
  },
  {
    name: "forget",
    summary: {
      en: "delete the map; later files of the merchant are read without one",
      el: "διαγράφει την αντιστοίχιση· τα επόμενα αρχεία της επιχείρησης διαβάζονται χωρίς αυτή",
    },
    load: async () => (await import("./map/forget.ts")).defineForget,
  },
];

export const defineMap = noun(VERBS, "fiscal documents map show --merchant shop");
