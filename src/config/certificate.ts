/** Reads the server's TLS certificate and key, and checks that they belong together. */
import { createPrivateKey, hash, type KeyObject, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { ConfigurationError, orUnusable } from "../foundation/errors.ts";
import type { TlsFiles } from "./config.ts";

export type Certificate = ReturnType<typeof parseCertificate>;
/** Options of a TLS context. `cert` has the server's own certificate first, followed by its chain. */
export type SecureOptions = Certificate["options"];

/** The contents of the files. `name` changes when any of them does. Throws ConfigurationError, naming the setting of an unreadable file. */
export function readTlsFiles(files: TlsFiles) {
  const cert = readSettingFile("server.tls_cert_file", files.certFile);
  const key = readSettingFile("server.tls_key_file", files.keyFile);
  const passphrase =
    files.passphraseFile === null
      ? null
      : readSettingFile("server.tls_key_passphrase_file", files.passphraseFile);
  const parts = [cert, key, ...(passphrase === null ? [] : [passphrase])];
  const name = parts.map((part) => hash("sha256", part, "base64")).join(" ");
  return { cert, key, passphrase, name };
}

function readSettingFile(setting: string, file: string): Buffer {
  return orUnusable(
    () => readFileSync(file),
    (error) => ({
      en: `${setting} cannot be read (${reasonOf(error)}): ${file}; it must be there, and readable by the user that the server runs as`,
      el: `το ${setting} δεν διαβάζεται (${reasonOf(error)}): ${file}· πρέπει να υπάρχει και να διαβάζεται από τον χρήστη του διακομιστή`,
    }),
  );
}

/** Throws ConfigurationError when they cannot be used for TLS. An expired certificate can; `validityOf` reports it. */
export function parseCertificate({ cert, key, passphrase }: ReturnType<typeof readTlsFiles>) {
  const leaf = parseOwn(cert);
  const secret = passphrase?.toString("utf8").replace(/\r?\n$/, "");
  if (!leaf.checkPrivateKey(parseKey(key, secret)))
    throw new ConfigurationError({
      en: "server.tls_key_file does not belong to the certificate with which server.tls_cert_file begins; put the server's own certificate first, those of its issuers behind it",
      el: "το server.tls_key_file δεν αντιστοιχεί στο πρώτο πιστοποιητικό του server.tls_cert_file· βάλτε πρώτο το πιστοποιητικό του διακομιστή και μετά εκείνα των εκδοτών του",
    });
  const options = {
    cert,
    key,
    ...(secret === undefined ? {} : { passphrase: secret }),
    minVersion: "TLSv1.2" as const,
  };
  orUnusable(
    () => createSecureContext(options),
    (error) => ({
      en: `TLS cannot be spoken with server.tls_cert_file (${reasonOf(error)}); have the certificate made again with a stronger key`,
      el: `το server.tls_cert_file δεν μπορεί να χρησιμοποιηθεί για TLS (${reasonOf(error)})· εκδώστε το ξανά με ισχυρότερο κλειδί`,
    }),
  );
  return { options, validFromMs: leaf.validFromDate.getTime(), validToMs: leaf.validToDate.getTime() };
}

const PEM_CERTIFICATE =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]+-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;

/** The first certificate. All of them must be whole. */
function parseOwn(cert: Buffer): X509Certificate {
  const parts = cert.toString("latin1").match(PEM_CERTIFICATE) ?? [""];
  return orUnusable(
    () => parts.map((part) => new X509Certificate(part))[0]!,
    (error) => ({
      en: `server.tls_cert_file holds no certificate in PEM that can be read (${reasonOf(error)}); give it whole, with -----BEGIN CERTIFICATE-----`,
      el: `το server.tls_cert_file δεν έχει πιστοποιητικό σε PEM που να διαβάζεται (${reasonOf(error)})· δώστε το ολόκληρο, με -----BEGIN CERTIFICATE-----`,
    }),
  );
}

function parseKey(key: Buffer, passphrase: string | undefined): KeyObject {
  return orUnusable(
    () => createPrivateKey({ key, ...(passphrase === undefined ? {} : { passphrase }) }),
    (error) => ({
      en: `server.tls_key_file holds no private key in PEM that can be opened (${reasonOf(error)}); if it is encrypted, name the file of its passphrase in server.tls_key_passphrase_file`,
      el: `το server.tls_key_file δεν έχει ιδιωτικό κλειδί σε PEM που να ανοίγει (${reasonOf(error)})· αν είναι κρυπτογραφημένο, ορίστε το αρχείο της φράσης πρόσβασης στο server.tls_key_passphrase_file`,
    }),
  );
}

/** The error code only, because messages of the library may quote the file. */
function reasonOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "it failed";
}

const DAY_MS = 86_400_000;
/** Automatic renewal happens a month before expiry, so at two weeks something has gone wrong. */
const EXPIRES_SOON_DAYS = 14;

export type Validity =
  | { kind: "valid" | "expires_soon" | "expired"; until: string }
  | { kind: "not_yet"; from: string };

/** Dates are in UTC. */
export function validityOf({ validFromMs, validToMs }: Certificate, nowMs: number): Validity {
  if (nowMs < validFromMs) return { kind: "not_yet", from: new Date(validFromMs).toISOString() };
  const until = new Date(validToMs).toISOString();
  if (nowMs > validToMs) return { kind: "expired", until };
  return { kind: validToMs - nowMs < EXPIRES_SOON_DAYS * DAY_MS ? "expires_soon" : "valid", until };
}
