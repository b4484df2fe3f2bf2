/** `fiscal errors`: explains error codes. */
import { type LazyCommand, noun } from "../define.ts";

const VERBS: readonly LazyCommand[] = [
  {
    name: "explain",
    arguments: "<code>",
    summary: {
      en: "say what an error code of the tax authority means and what to do about it",
      el: "εξηγεί έναν κωδικό σφάλματος της ΑΑΔΕ και τι μπορείτε να κάνετε",
    },
    load: async () => (await import("./explain.ts")).defineExplain,
  },
];

export const defineErrors = noun(VERBS, "fiscal errors explain 102");
