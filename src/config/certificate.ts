/** The certificate and the key that the server speaks TLS with: read from their files, and held against each other. */
import { createPrivateKey, hash, type KeyObject, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { ConfigurationError } from "../foundation/errors.ts";
import type { TlsFiles } from "./tls-files.ts";

/** What TLS is set up with; `cert` has the server's own certificate first and those of its chain behind it. */
export interface SecureOptions {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly passphrase?: string;
  readonly minVersion: "TLSv1.2";
}

export interface Certificate {
  readonly options: SecureOptions;
  readonly validFromMs: number;
  readonly validToMs: number;
}

/** The bytes of the files as they are, and a name of all of them together that changes when one does. */
export interface TlsBytes {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly passphrase: Buffer | null;
  readonly name: string;
}

/** Throws ConfigurationError that names the setting of the file that cannot be read. */
export function readTlsFiles(files: TlsFiles): TlsBytes {
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
  try {
    return readFileSync(file);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "it failed";
    throw new ConfigurationError(
      `${setting} cannot be read (${code}): ${file}; it must be there, and readable by the user that the server runs as`,
      { cause: error },
    );
  }
}

/** Throws ConfigurationError where TLS cannot be spoken with them. One that has expired can be used, and is judged elsewhere. */
export function parseCertificate({ cert, key, passphrase }: TlsBytes): Certificate {
  const chain = parseChain(cert);
  const leaf = chain[0]!;
  const secret = passphrase?.toString("utf8").replace(/\r?\n$/, "");
  const privateKey = parseKey(key, secret);
  if (!leaf.checkPrivateKey(privateKey)) {
    throw new ConfigurationError(
      chain.some((other) => other.checkPrivateKey(privateKey))
        ? "server.tls_cert_file does not begin with the server's own certificate; put that first, those of its issuers behind it"
        : "server.tls_key_file does not belong to the certificate in server.tls_cert_file; give the key that it was made with",
    );
  }
  const options: SecureOptions = {
    cert,
    key,
    ...(secret === undefined ? {} : { passphrase: secret }),
    minVersion: "TLSv1.2",
  };
  try {
    createSecureContext(options);
  } catch (error) {
    throw new ConfigurationError(
      `TLS cannot be spoken with server.tls_cert_file (${reasonOf(error)}); have the certificate made again with a stronger key`,
      { cause: error },
    );
  }
  return { options, validFromMs: leaf.validFromDate.getTime(), validToMs: leaf.validToDate.getTime() };
}

const PEM_CERTIFICATE =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]+-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;

function parseChain(cert: Buffer): X509Certificate[] {
  const parts = cert.toString("latin1").match(PEM_CERTIFICATE) ?? [];
  try {
    if (parts.length > 0) return parts.map((part) => new X509Certificate(part));
  } catch (error) {
    throw new ConfigurationError(
      `server.tls_cert_file holds a certificate that cannot be read (${reasonOf(error)}); give it in PEM, whole`,
      { cause: error },
    );
  }
  throw new ConfigurationError(
    "server.tls_cert_file holds no certificate in PEM; it begins with -----BEGIN CERTIFICATE-----",
  );
}

function parseKey(key: Buffer, passphrase: string | undefined): KeyObject {
  try {
    return createPrivateKey({ key, ...(passphrase === undefined ? {} : { passphrase }) });
  } catch (error) {
    // The library's code for it is another where it has the words for asking a person.
    const isLocked = passphrase === undefined && key.includes("ENCRYPTED");
    throw new ConfigurationError(
      isLocked
        ? "The key in server.tls_key_file is encrypted; name the file of its passphrase in server.tls_key_passphrase_file"
        : `server.tls_key_file holds no private key in PEM that can be opened${passphrase === undefined ? "" : " with the passphrase in server.tls_key_passphrase_file"} (${reasonOf(error)})`,
      { cause: error },
    );
  }
}

/** The library's code of it: its messages may quote. */
function reasonOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "it failed";
}

const DAY_MS = 86_400_000;
/** Those that are renewed by themselves are so a month before: at two weeks something is in the way. */
const EXPIRES_SOON_DAYS = 14;

export type Validity =
  | { kind: "valid" | "expires_soon" | "expired"; until: string }
  | { kind: "not_yet"; from: string };

/** Where it stands in its time, by days of the calendar in UTC. */
export function judgeValidity({ validFromMs, validToMs }: Certificate, nowMs: number): Validity {
  if (nowMs < validFromMs) return { kind: "not_yet", from: new Date(validFromMs).toISOString() };
  const until = new Date(validToMs).toISOString();
  if (nowMs > validToMs) return { kind: "expired", until };
  return { kind: validToMs - nowMs < EXPIRES_SOON_DAYS * DAY_MS ? "expires_soon" : "valid", until };
}
