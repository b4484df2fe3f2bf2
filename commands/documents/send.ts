/** `fiscal documents send`: emails the PDF of an issued document. */
import { queueMail } from "../../src/mail/queue-mail.ts";
import { sendMail } from "../../src/mail/send-mail.ts";
import { describeMail, type MailObject } from "../../src/mail/mail-object.ts";
import type { Text } from "../../src/foundation/text.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode, UsageError } from "../exit.ts";
import { printNote } from "../io.ts";
import type { MerchantOption } from "../merchants/find-merchant.ts";
import { printObject } from "../results.ts";
import type { Row } from "../../src/operations/view.ts";
import { instantText } from "../../src/operations/values.ts";
import { findDocument, REFERENCE_OWNER } from "./find-document.ts";
import { verb } from "../define.ts";

interface SendOptions extends MerchantOption {
  to?: string;
  again?: true;
}

export const defineSend = verb({
  flags: {
    ...REFERENCE_OWNER,
    "--to <address>": { en: "email address of the recipient", el: "διεύθυνση email του παραλήπτη" },
    "--again": {
      en: "send it even if this address already has it",
      el: "το στέλνει ακόμη κι αν η διεύθυνση το έχει ήδη",
    },
  },
  examples: [
    "fiscal documents send 2026-001 --to customer@example.com",
    "fiscal documents send 2026-001 --to customer@example.com --again",
  ],
  run: send,
});

async function send(context: CommandContext, name: string, options: SendOptions): Promise<ExitCode> {
  const { to, again = false } = options;
  if (to === undefined)
    throw new UsageError({
      en: "--to is missing: the email address of the recipient",
      el: "λείπει η --to: η διεύθυνση email του παραλήπτη",
    });
  const { mail, isNew } = await context.withAppliance(async (appliance, mode) => {
    const { id } = await findDocument(appliance, mode, name, options);
    const queued = await queueMail(appliance, mode, id, { to, again });
    return { isNew: queued.isNew, mail: await sendMail(appliance, queued.mail.id) };
  });
  await printObject(context, mail, mailFields(mail));
  const note = noteOn(mail, isNew);
  if (note !== undefined) await printNote(context.io, note);
  if (mail.status === "sent" || mail.status === "not_sent") return EXIT.done;
  return mail.status === "waiting" ? EXIT.unavailable : EXIT.refused;
}

function mailFields(mail: MailObject): Row[] {
  return [
    ["id", mail.id],
    [{ en: "document", el: "παραστατικό" }, mail.document],
    [{ en: "to", el: "προς" }, mail.to],
    [{ en: "status", el: "κατάσταση" }, describeMail(mail)],
    ...instantField({ en: "last attempt", el: "τελευταία προσπάθεια" }, mail.last_attempt_at),
    ...instantField({ en: "next attempt", el: "επόμενη προσπάθεια" }, mail.next_attempt_at),
  ];
}

function instantField(name: Text, at: string | null): Row[] {
  return at === null ? [] : [[name, instantText(at)]];
}

function noteOn({ status }: MailObject, isNew: boolean): Text | undefined {
  if (status === "waiting")
    return {
      en: "A running server sends it as soon as the mail server accepts it; so does this command.",
      el: "Θα το στείλει ένας διακομιστής fiscal που τρέχει, μόλις γίνει δυνατό, ή ξανά αυτή η εντολή.",
    };
  if (status !== "sent" || isNew) return undefined;
  return {
    en: "It was sent to this address before, so nothing was sent now; --again sends it once more.",
    el: "Είχε ήδη σταλεί σε αυτή τη διεύθυνση, οπότε δεν στάλθηκε ξανά· η --again το στέλνει άλλη μία φορά.",
  };
}
