/**
 * A certificate that is renewed on disk is taken up by the running server. The files are read again every few seconds rather
 * than watched: they are often links that are turned over as a whole, which the system's notices miss.
 */
import type { Server } from "node:https";
import type { Log } from "../../src/journal/context.ts";
import { ConfigurationError } from "../../src/foundation/errors.ts";
import {
  type Certificate,
  judgeValidity,
  parseCertificate,
  readTlsFiles,
  type SecureOptions,
} from "../../src/config/certificate.ts";
import type { TlsFiles } from "../../src/config/tls-files.ts";

export interface Renewal {
  /** What the server starts with. */
  readonly options: SecureOptions;
  /** Looks at the files from now on, and gives what is new to `server`. */
  follow(server: Server): void;
  /** Looks at once, because somebody asked, and says what it came to. */
  look(): void;
  stop(): void;
}

export interface RenewalOptions {
  files: TlsFiles;
  checkSeconds: number;
  log: Log;
  nowMs: () => number;
}

/** Throws ConfigurationError where TLS cannot be spoken with the files as they are now. */
export function openRenewal({ files, checkSeconds, log, nowMs }: RenewalOptions): Renewal {
  const first = readTlsFiles(files);
  const certificate = parseCertificate(first);
  tellValidity(certificate, log, nowMs());
  /** The files in use. */
  let current = first.name;
  /** What was met last, where that was no good: told of once, at the second look. */
  let trouble: { what: string; isTold: boolean } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let followed: Server | undefined;

  function look(isAsked: boolean): void {
    let name = "";
    try {
      const bytes = readTlsFiles(files);
      name = bytes.name;
      if (name !== current) takeUp(parseCertificate(bytes), name);
      else if (isAsked) log.info({}, "the certificate is the one in use already");
      trouble = undefined;
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      note(`${name} ${error.message}`, error.message, isAsked);
    }
  }

  function takeUp(fresh: Certificate, name: string): void {
    followed?.setSecureContext(fresh.options);
    current = name;
    log.info({ valid_to: new Date(fresh.validToMs).toISOString() }, "the renewed certificate is in use");
    tellValidity(fresh, log, nowMs());
  }

  /** Certificate and key are two files, and are not replaced at once: what does not fit may fit at the next look. */
  function note(what: string, reason: string, isAsked: boolean): void {
    const isSeenAgain = trouble?.what === what;
    const isTold = isSeenAgain && trouble?.isTold === true;
    if (isAsked || (isSeenAgain && !isTold))
      log.warn({ reason }, "the renewed certificate cannot be used; the one before stays in use");
    trouble = { what, isTold: isTold || isAsked || isSeenAgain };
  }

  return {
    options: certificate.options,
    follow(server) {
      followed = server;
      timer = setInterval(() => look(false), checkSeconds * 1000).unref();
    },
    look: () => look(true),
    stop: () => clearInterval(timer),
  };
}

function tellValidity(certificate: Certificate, log: Log, nowMs: number): void {
  const validity = judgeValidity(certificate, nowMs);
  switch (validity.kind) {
    case "valid":
      return;
    case "not_yet":
      return log.warn({ valid_from: validity.from }, "the certificate is not valid yet: clients refuse it");
    case "expired":
      return log.warn(
        { valid_to: validity.until },
        "the certificate has expired: clients refuse it; renew it",
      );
    case "expires_soon":
      return log.warn({ valid_to: validity.until }, "the certificate expires soon; renew it");
  }
}
