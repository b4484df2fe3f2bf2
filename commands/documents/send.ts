/** `fiscal documents send`: emails the PDFs of issued documents, one mail each. */
import { type MailObject, queueMail, suggestAddress } from "../../src/mail/queue-mail.ts";
import { sendMail } from "../../src/mail/send-mail.ts";
import type { Text } from "../../src/foundation/text.ts";
import { EXIT, type ExitCode, UsageError } from "../exit.ts";
import { printTable } from "../ui/table.ts";
import { type Column, instantText, LABELS, type Row, rowsFrom } from "../../src/operations/view.ts";
import { MAIL_COLUMNS } from "./document-view.ts";
import { findDocument, REFERENCE_OWNER } from "./find-document.ts";
import { verb } from "../define.ts";

export const defineSend = verb({
  flags: {
    ...REFERENCE_OWNER,
    "--to <address>": {
      en: "email address of the recipient (default: where the customer's last document went)",
      el: "διεύθυνση email του παραλήπτη (αν λείπει: εκεί όπου πήγε το τελευταίο παραστατικό του πελάτη)",
    },
    "--again": {
      en: "send it even if this address already has it",
      el: "το στέλνει ακόμη κι αν η διεύθυνση το έχει ήδη",
    },
  },
  examples: [
    "fiscal documents send 2026-001 --to customer@example.com",
    "fiscal documents send 2026-001 --to customer@example.com --again",
    "fiscal documents send 2026-001 2026-002 --to office@example.com",
  ],
  fields:
    "id object document to status reason smtp_code attempts created last_attempt_at next_attempt_at".split(
      " ",
    ),
  async run(context, options, names: string[]) {
    const { again = false } = options;
    const results = await context.withAppliance(async (appliance, mode) => {
      // All are known before the first is sent.
      const orders: { id: string; to: string }[] = [];
      for (const name of names) {
        const { id } = await findDocument(appliance, mode, name, options);
        const to = options.to ?? (await suggestAddress(appliance, mode, id));
        if (to === undefined) throw noAddress(name);
        orders.push({ id, to });
      }
      const sent: Sent[] = [];
      for (const { id, to } of orders) {
        const { mail, isNew } = await queueMail(appliance, mode, id, { to, again });
        sent.push({ isNew, mail: await sendMail(appliance, mail.id) });
      }
      return sent;
    });
    const mails = results.map(({ mail }) => mail);
    const [only] = mails;
    const isOne = names.length === 1 && only !== undefined;
    return {
      object: isOne ? only : { object: "list", data: mails, has_more: false },
      shown: isOne ? mailFields(only) : () => printTable(context.io, COLUMNS, mails),
      notes: [...new Set(results.flatMap(notesOn))],
      exitCode: exitCodeOf(mails),
    };
  },
});

interface Sent {
  mail: MailObject;
  isNew: boolean;
}

function noAddress(name: string): UsageError {
  return new UsageError({
    en: `--to is missing: nothing was sent to the customer of ${name} before`,
    el: `λείπει η --to: δεν έχει σταλεί κάτι νωρίτερα στον πελάτη του ${name}`,
  });
}

/** The worst: refused, then waiting. */
function exitCodeOf(mails: readonly MailObject[]): ExitCode {
  const isRefused = ({ status }: MailObject) => !["sent", "not_sent", "waiting"].includes(status);
  if (mails.some(isRefused)) return EXIT.refused;
  return mails.some(({ status }) => status === "waiting") ? EXIT.unavailable : EXIT.done;
}

const COLUMNS: readonly Column<MailObject>[] = [
  { head: LABELS.document, value: ({ document }) => document },
  ...MAIL_COLUMNS,
];

function mailFields(mail: MailObject): Row[] {
  return [
    ["id", mail.id],
    ...rowsFrom(COLUMNS)(mail),
    ...instantField({ en: "last attempt", el: "τελευταία προσπάθεια" }, mail.last_attempt_at),
    ...instantField({ en: "next attempt", el: "επόμενη προσπάθεια" }, mail.next_attempt_at),
  ];
}

function instantField(name: Text, at: string | null): Row[] {
  return at === null ? [] : [[name, instantText(at)]];
}

const WAITING: Text = {
  en: "A running server sends it as soon as the mail server accepts it; so does this command.",
  el: "Θα το στείλει ένας διακομιστής fiscal που τρέχει, μόλις γίνει δυνατό, ή ξανά αυτή η εντολή.",
};

const SENT_BEFORE: Text = {
  en: "It was sent to this address before, so nothing was sent now; --again sends it once more.",
  el: "Είχε ήδη σταλεί σε αυτή τη διεύθυνση, οπότε δεν στάλθηκε ξανά· η --again το στέλνει άλλη μία φορά.",
};

function notesOn({ mail, isNew }: Sent): Text[] {
  if (mail.status === "waiting") return [WAITING];
  return mail.status === "sent" && !isNew ? [SENT_BEFORE] : [];
}
