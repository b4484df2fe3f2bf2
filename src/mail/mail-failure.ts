/** Decides what an error of the mail server means for a mail (docs/contract.md#mail-failures). Never keeps the server's words. */
import type { MailReason } from "../../storage/database/schema.ts";

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
  if (isCertificateError(error, code)) return waits("certificate");
  const isTemporary = smtpCode !== null && smtpCode < 500;
  // A wrong password is corrected by the operator, and then the mail goes out.
  if (code === "EAUTH") return waits(isTemporary ? "unavailable" : "login");
  if (smtpCode !== null) return isTemporary ? waits("unavailable") : refusal(smtpCode, command);
  return waits(NETWORK_CODES.has(code) ? "unavailable" : "unknown");
}

function isCertificateError(error: unknown, code: string): boolean {
  if (CERTIFICATE_CODES.test(code)) return true;
  const cause = error instanceof Error ? error.cause : undefined;
  const words = error instanceof Error ? error.message : "";
  return (
    (cause instanceof Error && isCertificateError(cause, codeIn(cause))) ||
    /certificate|SSL routines/i.test(words)
  );
}

function codeIn(error: Error): string {
  return (error as SmtpError).code ?? "";
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
