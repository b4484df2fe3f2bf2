/** Sends queued mails: writes the claim, sends, and writes the outcome (docs/contract.md#mail). */
import { findMail, findTriedAt, mailWork, type MailRow, addressOf } from "../../storage/documents/mails.ts";
import { findDocumentRow } from "../../storage/documents/documents.ts";
import { codeOf } from "../../storage/database/system-errors.ts";
import { AppError, ConfigurationError } from "../foundation/errors.ts";
import type { Context } from "../journal/context.ts";
import { getDocumentPdf, readPaper } from "../paper/document-pdf.ts";
import { claimWork, nextDue } from "../work/claim.ts";
import { MAILS } from "../work/kinds.ts";
import { workOff } from "../work/work-off.ts";
import { writeLetter } from "./letter.ts";
import { explainMailFailure, type MailFailure } from "./mail-failure.ts";
import { buildMailObject, type MailObject } from "./mail-object.ts";

/** Sends the mails that are due. */
export function sendDueMails(context: Context, stopping?: AbortSignal): Promise<void> {
  return workOff(context, MAILS, { scope: { only: null }, stopping }, async (row) => {
    await attempt(context, row);
    await logOutcome(context, row.id);
  });
}

/** Only of mails that a server sends: a command prints the outcome. The address is in no log. */
async function logOutcome(context: Context, id: string): Promise<void> {
  const { log } = context;
  const { document, attempts, status, reason, smtp_code } = await readMail(context, id);
  if (status === "sent") log.info({ mail: id, document, attempts }, "mail sent");
  else log.warn({ mail: id, document, attempts, status, reason, smtp_code }, "mail not sent");
}

/**
 * Makes one attempt if the mail is due, and returns the mail as it is then. A process that is killed between the claim and the
 * outcome leaves the mail waiting: it is sent again, with the same Message-ID, because a second copy is better than none.
 */
export async function sendMail(context: Context, id: string): Promise<MailObject> {
  const [row] = await context.store.write((trx) => claimWork(trx, MAILS, { only: id }, { limit: 1 }));
  if (row !== undefined) await attempt(context, row);
  return readMail(context, id);
}

async function readMail({ store }: Context, id: string): Promise<MailObject> {
  const row = await findMail(store.read, id);
  if (row === undefined) throw new Error(`The mail ${id} is missing`);
  return buildMailObject(store.cipher, row);
}

const HOUR_MS = 3_600_000;

/** When the next mail may be sent; undefined if now. */
async function findPause({ store, clock, config }: Context): Promise<string | undefined> {
  const since = new Date(clock.nowMs() - HOUR_MS).toISOString();
  const first = await findTriedAt(store.read, { since, count: config.mail.perHour });
  return first === undefined ? undefined : new Date(Date.parse(first) + HOUR_MS).toISOString();
}

async function attempt(context: Context, row: MailRow): Promise<void> {
  const pauseUntil = await findPause(context);
  if (pauseUntil !== undefined) {
    await context.store.write((trx) => mailWork.settle(trx, row, { due_at: pauseUntil, tries: row.tries }));
    return;
  }
  const failure = await post(context, row);
  await context.store.write((trx) => {
    const due = failure === undefined || failure.isFinal ? null : nextDue(trx, MAILS, row);
    const gaveUp = failure?.isFinal === true ? "refused" : "failed";
    const changes = {
      status: failure === undefined ? "sent" : due === null ? gaveUp : "waiting",
      reason: failure?.reason ?? null,
      smtp_code: failure?.smtpCode ?? null,
      tried_at: trx.now,
    } as const;
    return mailWork.settle(trx, row, { due_at: due, tries: row.tries + 1 }, changes);
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
