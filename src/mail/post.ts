/** Hands a mail to the mail server of the settings (docs/contract.md#mail-server). Loaded only when a mail is sent. */
import { createTransport } from "nodemailer";
import type { Config } from "../config/config.ts";
import type { Letter } from "./letter.ts";
import { readFile } from "node:fs/promises";
import { codeOf } from "../../storage/database/system-errors.ts";
import { ConfigurationError } from "../foundation/errors.ts";
import { firstLineOf } from "../foundation/trusted-file.ts";

export interface Parcel extends Letter {
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
  const transport = createTransport({
    host,
    port,
    secure,
    // A password and a customer's address never cross a network in clear text.
    requireTLS: !secure && !isHere,
    // Nobody is between this program and a server on the same machine, whose certificate is often self-signed.
    tls: { rejectUnauthorized: !isHere, minVersion: "TLSv1.2" },
    ...(user === "" ? {} : { auth: { user, pass: await readMailPassword(passwordFile) } }),
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

/** Throws ConfigurationError, which never contains the content of the file. */
async function readMailPassword(file: string): Promise<string> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const code = codeOf(error) ?? "";
    throw new ConfigurationError(
      {
        en: `The file of mail.password_file, ${file}, cannot be read (${code})`,
        el: `Το αρχείο του mail.password_file, ${file}, δεν διαβάζεται (${code})`,
      },
      { cause: error },
    );
  }
  return firstLineOf(text);
}
