/** Sends queued mails: writes the claim, sends, and writes the outcome (docs/contract.md#mail). */
import { claimMail, findDueMails, findMail, type MailRow, settleMail } from "../../storage/mails.ts";
import { findDocumentRow } from "../../storage/documents.ts";
import { AppError, ConfigurationError } from "../foundation/errors.ts";
import type { Context } from "../journal/context.ts";
import { isHeld } from "../journal/held.ts";
import { getDocumentPdf, readPaper } from "../paper/document-pdf.ts";
import { nextDelayMs } from "../webhooks/retry-schedule.ts";
import { writeLetter } from "./letter.ts";
import { explainMailFailure, type MailFailure } from "./mail-failure.ts";
import { MAIL_DELAYS_SECONDS } from "./mail-schedule.ts";
import { addressOf, buildMailObject, type MailObject } from "./mail-object.ts";

/** Longer than an attempt, so that no other process starts the same one. */
const CLAIM_MS = 5 * 60_000;
/** Mails per run of the scheduler, one after the other: mail servers limit connections. */
const PORTION = 20;

/** Sends the mails that are due. A failure affects only its own mail. */
export async function sendDueMails(context: Context): Promise<void> {
  const { store, clock, config } = context;
  if (config.mail.host === "" || (await isHeld(store.read))) return;
  const due = await findDueMails(store.read, new Date(clock.nowMs()).toISOString(), PORTION);
  for (const id of due) {
    if (context.cut.aborted) return;
    await sendMail(context, id);
  }
}

/**
 * Makes one attempt if the mail is due, and returns the mail as it is then. A process that is killed between the claim and the
 * outcome leaves the mail waiting: it is sent again, with the same Message-ID, because a second copy is better than none.
 */
export async function sendMail(context: Context, id: string): Promise<MailObject> {
  const { store } = context;
  const isMine = await store.write((trx) =>
    claimMail(trx, id, new Date(trx.clockMs + CLAIM_MS).toISOString()),
  );
  if (isMine) await attempt(context, await requireMail(context, id));
  return buildMailObject(store.cipher, await requireMail(context, id));
}

async function requireMail({ store }: Context, id: string): Promise<MailRow> {
  const row = await findMail(store.read, id);
  if (row === undefined) throw new Error(`The mail ${id} is missing`);
  return row;
}

async function attempt(context: Context, row: MailRow): Promise<void> {
  const { store, log } = context;
  const failure = await post(context, row);
  const fields = { mail: row.id, document: row.document_id, attempt: row.tries };
  if (failure === undefined) {
    await store.write((trx) =>
      settleMail(trx, { id: row.id, status: "sent", reason: null, smtpCode: null, due: null }),
    );
    log.info(fields, "mail sent");
    return;
  }
  const { reason, smtpCode, isFinal } = failure;
  const pauseMs = isFinal
    ? undefined
    : nextDelayMs({ tries: row.tries, retryAfterMs: undefined, random: Math.random() }, MAIL_DELAYS_SECONDS);
  const status = isFinal ? "refused" : pauseMs === undefined ? "failed" : "waiting";
  await store.write((trx) => {
    const due = pauseMs === undefined ? null : new Date(trx.clockMs + pauseMs).toISOString();
    return settleMail(trx, { id: row.id, status, reason, smtpCode, due });
  });
  log.warn({ ...fields, reason, smtp_code: smtpCode, status }, "mail not sent");
}

/** Undefined if the mail server accepted the mail. */
async function post(context: Context, row: MailRow): Promise<MailFailure | undefined> {
  const to = addressOf(context.store.cipher, row);
  const document = await findDocumentRow(context.store.read, row.document_id);
  // Erased meanwhile, or sealed with a lost master key.
  if (to === undefined || document === undefined) return { reason: "unknown", smtpCode: null, isFinal: true };
  try {
    const pdf = await getDocumentPdf(context, document.mode, document.id);
    const letter = writeLetter(await readPaper(context, document));
    const { postMail } = await import("./post.ts");
    await postMail(context.config, {
      ...letter,
      id: row.id,
      to,
      attachment: { fileName: pdf.fileName, bytes: pdf.bytes },
    });
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return { reason: "document", smtpCode: null, isFinal: false };
    if (error instanceof ConfigurationError) return { reason: "login", smtpCode: null, isFinal: false };
    return explainMailFailure(error);
  }
}
