/** Sends queued mails: writes the claim, sends, and writes the outcome (docs/contract.md#mail). */
import {
  claimMail,
  findDueMails,
  findMail,
  type MailRow,
  settleMail,
} from "../../storage/documents/mails.ts";
import { findDocumentRow } from "../../storage/documents/documents.ts";
import { codeOf } from "../../storage/database/system-errors.ts";
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
    if (await tryMail(context, id)) await logOutcome(context, id);
  }
}

/** Only of mails that a server sends: a command prints the outcome. The address is in no log. */
async function logOutcome(context: Context, id: string): Promise<void> {
  const { log } = context;
  const { document, attempts, status, reason, smtp_code } = await readMail(context, id);
  if (status === "sent") log.info({ mail: id, document, attempts }, "mail sent");
  else log.warn({ mail: id, document, attempts, status, reason, smtp_code }, "mail not sent");
}

/** Makes one attempt if the mail is due, and returns the mail as it is then. */
export async function sendMail(context: Context, id: string): Promise<MailObject> {
  await tryMail(context, id);
  return readMail(context, id);
}

/**
 * Returns false if the mail is not due. A process that is killed between the claim and the outcome leaves the mail waiting: it is
 * sent again, with the same Message-ID, because a second copy is better than none.
 */
async function tryMail(context: Context, id: string): Promise<boolean> {
  const isMine = await context.store.write((trx) =>
    claimMail(trx, id, new Date(trx.clockMs + CLAIM_MS).toISOString()),
  );
  if (isMine) await attempt(context, await requireMail(context, id));
  return isMine;
}

async function readMail(context: Context, id: string): Promise<MailObject> {
  return buildMailObject(context.store.cipher, await requireMail(context, id));
}

async function requireMail({ store }: Context, id: string): Promise<MailRow> {
  const row = await findMail(store.read, id);
  if (row === undefined) throw new Error(`The mail ${id} is missing`);
  return row;
}

async function attempt(context: Context, row: MailRow): Promise<void> {
  const { store } = context;
  const failure = await post(context, row);
  if (failure === undefined) {
    await store.write((trx) =>
      settleMail(trx, { id: row.id, status: "sent", reason: null, smtpCode: null, due: null }),
    );
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
    const failure = explainMailFailure(error);
    if (failure.reason === "unknown") logUnexpected(context, row, error);
    return failure;
  }
}

/** Without the message, which may quote the address. */
function logUnexpected({ log }: Context, { id }: MailRow, error: unknown): void {
  const { name, stack = "" } = error instanceof Error ? error : new Error();
  const frames = stack.split("\n").filter((line) => line.startsWith("    at "));
  log.error({ mail: id, error: name, code: codeOf(error), frames }, "unexpected error while sending a mail");
}
