/** `fiscal numbering`: the counters, and an audit of every number that was allocated. */
import { listCounters } from "../../src/operations/counters.ts";
import { verbOf } from "../verb.ts";
import type { LazyCommand } from "../lazy-commands.ts";
import { noun } from "../define.ts";

const VERBS: readonly LazyCommand[] = [
  verbOf("show", listCounters),
  {
    name: "set",
    summary: {
      en: "continue from a higher number, for example that of another program",
      el: "συνεχίζει από μεγαλύτερο αριθμό, για παράδειγμα άλλου προγράμματος",
    },
    load: async () => (await import("./set.ts")).defineSet,
  },
  {
    name: "audit",
    summary: {
      en: "account for every number of both modes, or of live mode with --live; exit 1 if one is missing",
      el: "εξηγεί κάθε αριθμό και των δύο λειτουργιών ή, με --live, της παραγωγικής· κωδικός 1 όταν λείπει κάποιος",
    },
    load: async () => (await import("./audit.ts")).defineAudit,
  },
];

export const defineNumbering = noun(VERBS, "fiscal numbering show", "fiscal numbering audit");
