/**
 * Hands a mail to the mail server of the settings (docs/contract.md#mail-server), and decides what an error of the server means for the
 * mail (docs/contract.md#mail-failures). Never keeps the server's words.
 */
import type { Config } from "../config/config.ts";
import { readFirstLine } from "../foundation/trusted-file.ts";
import type { MailReason } from "../../storage/database/schema.ts";
import { randomUUID } from "node:crypto";
import type { Language, Text } from "../foundation/text.ts";
import { REASON_TEXTS } from "./queue-mail.ts";

export interface Letter {
  /** The name that mail programs show beside `mail.from`. */
  senderName?: string;
  /** Where replies go; without it to `mail.from`. */
  replyTo?: string | undefined;
  subject: string;
  text: string;
  html: string;
}

interface Parcel extends Letter {
  /** Becomes the Message-ID, so that mail programs show a repetition only once. */
  id: string;
  to: string;
  attachment?: { fileName: string; bytes: Buffer };
}

const CONNECT_MS = 10_000;
/** Longest silence of the server; some check a message for a while before they accept it. */
const SILENCE_MS = 60_000;

/** Resolves once the server has accepted the mail. Throws nodemailer's error, which may quote the address: never log it. */
export async function postMail({ mail }: Pick<Config, "mail">, parcel: Parcel): Promise<void> {
  const { host, port, secure, user, passwordFile } = mail;
  const isHere = isThisMachine(host);
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    host,
    port,
    secure,
    // A password and a customer's address never cross a network in clear text.
    requireTLS: !secure && !isHere,
    // Nobody is between this program and a server on the same machine, whose certificate is often self-signed.
    tls: { rejectUnauthorized: !isHere, minVersion: "TLSv1.2" },
    ...(user === "" ? {} : { auth: { user, pass: readFirstLine(passwordFile, PASSWORD_FILE) } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      from: parcel.senderName === undefined ? mail.from : { name: parcel.senderName, address: mail.from },
      ...(parcel.replyTo === undefined ? {} : { replyTo: { name: "", address: parcel.replyTo } }),
      // As an object, so that nothing in it is read as a second address.
      to: { name: "", address: parcel.to },
      subject: parcel.subject,
      text: parcel.text,
      html: parcel.html,
      messageId: `<${parcel.id}@${mail.from.split("@").at(-1) ?? "localhost"}>`,
      headers: { "Auto-Submitted": "auto-generated" },
      attachments:
        parcel.attachment === undefined
          ? []
          : [
              {
                filename: parcel.attachment.fileName,
                content: parcel.attachment.bytes,
                contentType: "application/pdf",
              },
            ],
    });
  } finally {
    transport.close();
  }
}

function isThisMachine(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

const PASSWORD_FILE: Text = { en: "The file of mail.password_file", el: "Το αρχείο του mail.password_file" };

export interface MailFailure {
  reason: MailReason;
  smtpCode: number | null;
  /** Whether another attempt would have the same result. */
  isFinal: boolean;
}

/** The fields that nodemailer adds to its errors. */
interface SmtpError {
  code?: string;
  responseCode?: number;
  command?: string;
}

const CERTIFICATE_CODES =
  /^(?:ETLS|ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER))/;
const NETWORK_CODES: ReadonlySet<string> = new Set([
  "ECONNECTION",
  "ETIMEDOUT",
  "ESOCKET",
  "EDNS",
  "EPROTOCOL",
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EPIPE",
]);

/** An error without a reply code, and a reply of 4xx, may end: the mail is tried again. */
export function explainMailFailure(error: unknown): MailFailure {
  const { code = "", responseCode = null, command = "" } = error instanceof Error ? (error as SmtpError) : {};
  const smtpCode = responseCode;
  const waits = (reason: MailReason) => ({ reason, smtpCode, isFinal: false });
  if (isCertificateError(error)) return waits("certificate");
  const isTemporary = smtpCode !== null && smtpCode < 500;
  // A wrong password is corrected by the operator, and then the mail goes out.
  if (code === "EAUTH") return waits(isTemporary ? "unavailable" : "login");
  if (smtpCode !== null) return isTemporary ? waits("unavailable") : refusal(smtpCode, command);
  return waits(NETWORK_CODES.has(code) ? "unavailable" : "unknown");
}

function isCertificateError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = "" } = error as SmtpError;
  const isNamed = CERTIFICATE_CODES.test(code) || /certificate|SSL routines/i.test(error.message);
  return isNamed || isCertificateError(error.cause);
}

/** Some servers want a login, or refuse the sender, only once they are given the recipient: 530 and 535 are about the login. */
function refusal(smtpCode: number, command: string): MailFailure {
  if (smtpCode === 530 || smtpCode === 535) return { reason: "login", smtpCode, isFinal: false };
  if (command.startsWith("MAIL")) return { reason: "sender", smtpCode, isFinal: true };
  if (command.startsWith("RCPT")) return { reason: "recipient", smtpCode, isFinal: true };
  if (command.startsWith("DATA")) return { reason: "content", smtpCode, isFinal: true };
  // A greeting of 5xx is about the server, not about this mail.
  return { reason: "unavailable", smtpCode, isFinal: false };
}

const SUBJECT: Text = { en: "fiscal: test mail", el: "fiscal: δοκιμαστικό email" };
const BODY: Text = {
  en: "The mail server in your settings works: documents can be sent.",
  el: "Ο διακομιστής αλληλογραφίας που έχετε ορίσει λειτουργεί: τα παραστατικά μπορούν να σταλούν.",
};

/** Why it was not sent; undefined once the server has accepted it. */
export async function sendTestMail(
  config: Pick<Config, "mail">,
  { to, language }: { to: string; language: Language },
): Promise<Text | undefined> {
  const text = BODY[language];
  const html = `<!doctype html><html lang="${language}"><body><p>${text}</p></body></html>`;
  try {
    const id = `test.${randomUUID()}`;
    await postMail(config, { id, to, subject: SUBJECT[language], text: `${text}\n`, html });
    return undefined;
  } catch (error) {
    return REASON_TEXTS[explainMailFailure(error).reason];
  }
}

/** Paragraphs of lines; an empty line ends a paragraph. */
export function htmlOf(lines: readonly string[], language: Language): string {
  const paragraphs: string[][] = [[]];
  for (const line of lines) {
    if (line === "") paragraphs.push([]);
    else paragraphs.at(-1)!.push(escape(line));
  }
  return `<div lang="${language}">${paragraphs.map((part) => `<p>${part.join("<br>")}</p>`).join("")}</div>`;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escape(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character]!);
}
