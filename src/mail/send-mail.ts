/** Sends queued mails: writes the claim, sends, and writes the outcome (docs/contract.md#mail). */
import { findMail, findTriedAt, mailWork, type MailRow, addressOf } from "../../storage/documents/mails.ts";
import { findDocumentRow } from "../../storage/documents/documents.ts";
import { codeOf } from "../../storage/database/errors.ts";
import { AppError, ConfigurationError } from "../foundation/errors.ts";
import type { Context } from "../journal/context.ts";
import { getDocumentPdf, readPaper } from "../paper/document-pdf.ts";
import { MAILS } from "../work/kinds.ts";
import { claimWork, nextDue, workOff } from "../work/work-off.ts";
import { printedTitle } from "../domain/document-types.ts";
import { euroText } from "../foundation/money.ts";
import type { Language, Text } from "../foundation/text.ts";
import { dayText } from "../foundation/days.ts";
import type { Paper } from "../paper/paper.ts";
import { explainMailFailure, htmlOf, type Letter, type MailFailure, postMail } from "./post.ts";
import { buildMailObject, type MailObject } from "./queue-mail.ts";

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
  const row = await findMail(store.read, { id });
  if (row === undefined) throw new Error(`The mail ${id} is missing`);
  return buildMailObject(store.cipher, row);
}

const HOUR_MS = 3_600_000;

/** When the next mail may be sent; undefined if now. */
async function findPause({ store, clock, config }: Context): Promise<string | undefined> {
  const since = new Date(clock.nowMs() - HOUR_MS).toISOString();
  const first = await findTriedAt(store.read, { since, skip: config.mail.perHour - 1 });
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
  const document = await findDocumentRow(context.store.read, { id: row.document_id });
  // Erased meanwhile, or sealed with a lost master key.
  if (to === undefined || document === undefined) return { reason: "unknown", smtpCode: null, isFinal: true };
  try {
    const pdf = await getDocumentPdf(context, document.mode, document.id);
    const letter = writeLetter(await readPaper(context, document));
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

const TEST: Text = { en: "TEST, not valid", el: "ΔΟΚΙΜΗ, χωρίς νομική ισχύ" };

/** Writes the mail that carries the PDF, in the languages of the PDF. */
function writeLetter(paper: Paper): Letter {
  const languages = languagesOf(paper);
  const name = languages.map((language) => nameOf(paper)[language]).join(" / ");
  const test = paper.isTest ? `[${languages.map((language) => TEST[language]).join(" / ")}] ` : "";
  const parts = languages.map((language) => bodyOf(paper, language));
  return {
    senderName: paper.supplier.name,
    replyTo: paper.stationery.email,
    subject: `${test}${name} – ${paper.supplier.name}`,
    text: `${parts.map((lines) => lines.join("\n")).join("\n\n--\n\n")}\n`,
    html: `<!doctype html><html lang="${languages[0]}"><body>${languages
      .map((language, index) => htmlOf(parts[index]!, language))
      .join("<hr>")}</body></html>`,
  };
}

/** Greek first where the PDF has both, as in the PDF. */
function languagesOf({ stationery: { language } }: Paper): readonly [Language, ...Language[]] {
  return language === undefined ? ["el", "en"] : [language];
}

function nameOf({ sentType, series, number }: Paper): Text {
  const { en, el } = printedTitle(sentType);
  return { en: `${en} ${series} ${number}`, el: `${el} ${series} ${number}` };
}

/** The lines of the mail; an empty one ends a paragraph. */
function bodyOf(paper: Paper, language: Language): string[] {
  const { supplier, document, mark, cancellation, isTest } = paper;
  const name = nameOf(paper)[language];
  const day = dayText(document.issue_date).el;
  const gross = euroText(document.totals.gross)[language];
  const isEnglish = language === "en";
  return [
    ...(isTest ? [TEST[language], ""] : []),
    isEnglish ? "Dear Sir or Madam," : "Αγαπητέ πελάτη,",
    "",
    isEnglish
      ? `please find attached the document ${name} of ${day}.`
      : `σας στέλνουμε συνημμένο το παραστατικό ${name} της ${day}.`,
    "",
    isEnglish ? `Total: ${gross} €` : `Σύνολο: ${gross} €`,
    isEnglish ? `MARK: ${mark}` : `ΜΑΡΚ: ${mark}`,
    ...(paper.qrUrl === null ? [] : [`${isEnglish ? "Verify" : "Έλεγχος στην ΑΑΔΕ"}: ${paper.qrUrl}`]),
    ...(cancellation === undefined
      ? []
      : [
          isEnglish
            ? `This document was cancelled on ${dayText(cancellation.day).el}.`
            : `Το παραστατικό αυτό ακυρώθηκε στις ${dayText(cancellation.day).el}.`,
        ]),
    "",
    isEnglish ? "Kind regards" : "Με εκτίμηση",
    supplier.name,
  ];
}
