/** Combines the settings of TLS, which only make sense together. */
import { ConfigurationError } from "../foundation/errors.ts";

/** Absolute paths. */
export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
  /** Null when the key is not encrypted. */
  readonly passphraseFile: string | null;
}

/** Of `serve --https`: a certificate is made for the run. */
export const SELF_SIGNED = "self-signed";

interface TlsSettings {
  tlsCertFile: string | null;
  tlsKeyFile: string | null;
  tlsKeyPassphraseFile: string | null;
  socket: string | null;
  isSelfSigned: boolean;
}

/** Null for plain HTTP. Throws ConfigurationError for settings that contradict each other. */
export function tlsOf(settings: TlsSettings): TlsFiles | typeof SELF_SIGNED | null {
  if (!settings.isSelfSigned) return tlsFilesOf(settings);
  if (settings.socket === null && tlsFilesOf(settings) === null) return SELF_SIGNED;
  throw new ConfigurationError({
    en: "A certificate made for the run is for host and port; leave out server.socket, server.tls_cert_file and server.tls_key_file",
    el: "Ένα πιστοποιητικό που φτιάχνεται για την εκτέλεση είναι για διεύθυνση και θύρα· αφαιρέστε τα server.socket, server.tls_cert_file και server.tls_key_file",
    next: { operation: "serveWithoutHttps" },
  });
}

function tlsFilesOf(settings: TlsSettings): TlsFiles | null {
  const {
    tlsCertFile: certFile,
    tlsKeyFile: keyFile,
    tlsKeyPassphraseFile: passphraseFile,
    socket,
  } = settings;
  if (certFile === null && keyFile === null) {
    if (passphraseFile === null) return null;
    throw new ConfigurationError({
      en: "server.tls_key_passphrase_file is set without server.tls_key_file; set that and server.tls_cert_file too",
      el: "ορίστηκε το server.tls_key_passphrase_file χωρίς το server.tls_key_file· ορίστε κι αυτό και το server.tls_cert_file",
    });
  }
  if (certFile === null || keyFile === null) {
    const [given, missing] = certFile === null ? ["key", "cert"] : ["cert", "key"];
    throw new ConfigurationError({
      en: `server.tls_${given}_file is set without server.tls_${missing}_file; TLS needs both`,
      el: `ορίστηκε το server.tls_${given}_file χωρίς το server.tls_${missing}_file· το TLS χρειάζεται και τα δύο`,
      next: { operation: "giveTlsFiles" },
    });
  }
  // A proxy speaks plain HTTP to a socket file.
  if (socket !== null) {
    throw new ConfigurationError({
      en: "server.socket and server.tls_cert_file are both set; a socket file takes plain HTTP: leave one of them out",
      el: "ορίστηκαν και το server.socket και το server.tls_cert_file· το αρχείο socket δέχεται απλό HTTP: αφαιρέστε το ένα",
    });
  }
  return { certFile, keyFile, passphraseFile };
}
