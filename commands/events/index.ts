/** `fiscal events`: what happened to documents, merchants and connections. */
import { getEvent, listEvents, resendEvent } from "../../src/operations/events.ts";
import { write } from "../io.ts";
import { UNTIL_INTERRUPTED } from "../options.ts";
import { tailOf } from "../tails.ts";
import { printableLines } from "../../src/foundation/characters.ts";
import { verbOf } from "../verb.ts";
import { type Commands, noun } from "../define.ts";

const VERBS: Commands = {
  tail: tailOf(listEvents),
  list: verbOf(listEvents),
  show: verbOf(getEvent, {
    after: (event, { context: { io } }) =>
      write(io.stdout, `${printableLines(JSON.stringify(event.data, null, 2))}\n`),
  }),
  resend: verbOf(resendEvent, {
    line: ({ id, type }) => ({ en: `${id} ${type} queued again`, el: `${id} ${type} μπήκε ξανά στη σειρά` }),
    notes: () => [
      {
        en: "It reaches endpoints while `fiscal serve` runs, and `fiscal webhooks listen` at any time.",
        el: "Στα τελικά σημεία (endpoints) φτάνει όσο τρέχει η `fiscal serve`, στη `fiscal webhooks listen` πάντα.",
      },
    ],
  }),
};

export const defineEvents = noun(
  VERBS,
  { line: "fiscal events tail", note: UNTIL_INTERRUPTED },
  "fiscal events list --type document.rejected",
);
