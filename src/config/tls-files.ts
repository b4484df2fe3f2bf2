/** The settings of TLS, which only make sense together. */
import { ConfigurationError } from "../foundation/errors.ts";

/** Absolute paths. */
export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
  /** Null where the key is not encrypted. */
  readonly passphraseFile: string | null;
}

/** Of certificate and key neither is of use without the other, and a proxy in front of a socket file speaks plain HTTP to it. */
export function tlsFilesOf(fileAt: (path: string) => string | null): TlsFiles | null {
  const certFile = fileAt("server.tls_cert_file");
  const keyFile = fileAt("server.tls_key_file");
  const passphraseFile = fileAt("server.tls_key_passphrase_file");
  if (certFile === null && keyFile === null) {
    if (passphraseFile === null) return null;
    throw new ConfigurationError(
      "server.tls_key_passphrase_file is set without server.tls_key_file; set that and server.tls_cert_file too",
    );
  }
  if (certFile === null || keyFile === null) {
    const [given, missing] = certFile === null ? ["key", "cert"] : ["cert", "key"];
    throw new ConfigurationError(
      `server.tls_${given}_file is set without server.tls_${missing}_file; TLS needs both (--tls-cert and --tls-key)`,
    );
  }
  if (fileAt("server.socket") !== null) {
    throw new ConfigurationError(
      "server.socket and server.tls_cert_file are both set; a socket file takes plain HTTP: leave one of them out",
    );
  }
  return { certFile, keyFile, passphraseFile };
}
