/**
 * Loads a renewed TLS certificate into the running server. The files are read again every few seconds rather
 * than watched, because certificate tools often replace symbolic links, which file watching misses.
 */
import type { Server } from "node:https";
import type { Log } from "../../src/journal/context.ts";
import { ConfigurationError } from "../../src/foundation/errors.ts";
import {
  type Certificate,
  validityOf,
  parseCertificate,
  readTlsFiles,
  type SecureOptions,
} from "../../src/config/certificate.ts";
import type { TlsFiles } from "../../src/config/config.ts";

export interface Renewal {
  /** The TLS options to start the server with. */
  readonly options: SecureOptions;
  /** Starts checking the files, and loads changes into `server`. */
  follow(server: Server): void;
  /** Checks the files immediately and logs the result. */
  check(): void;
  stop(): void;
}

export interface RenewalOptions {
  files: TlsFiles;
  checkSeconds: number;
  log: Log;
  nowMs: () => number;
}

/** Throws ConfigurationError if the current files cannot be used for TLS. */
export function openRenewal({ files, checkSeconds, log, nowMs }: RenewalOptions): Renewal {
  const first = readTlsFiles(files);
  const certificate = parseCertificate(first);
  warnAboutValidity(certificate, log, nowMs());
  /** The name of the files in use. */
  let current = first.name;
  /** The last failure. It is logged once, when the second check in a row fails the same way. */
  let failure: { id: string; isLogged: boolean } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let followed: Server | undefined;

  function check(isRequested: boolean): void {
    let name = "";
    try {
      const bytes = readTlsFiles(files);
      name = bytes.name;
      if (name !== current) use(parseCertificate(bytes), name);
      else if (isRequested) log.info({}, "the certificate has not changed");
      failure = undefined;
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      recordFailure(`${name} ${error.message}`, error.message, isRequested);
    }
  }

  function use(fresh: Certificate, name: string): void {
    followed?.setSecureContext(fresh.options);
    current = name;
    log.info({ valid_to: new Date(fresh.validToMs).toISOString() }, "loaded the renewed certificate");
    warnAboutValidity(fresh, log, nowMs());
  }

  /** Certificate and key are not replaced at the same instant: files that do not match may match at the next check. */
  function recordFailure(id: string, reason: string, isRequested: boolean): void {
    const isRepeated = failure?.id === id;
    const isLogged = isRepeated && failure?.isLogged === true;
    if (isRequested || (isRepeated && !isLogged))
      log.warn({ reason }, "the renewed certificate cannot be used; the previous one stays in use");
    failure = { id, isLogged: isLogged || isRequested || isRepeated };
  }

  return {
    options: certificate.options,
    follow(server) {
      followed = server;
      timer = setInterval(() => check(false), checkSeconds * 1000).unref();
    },
    check: () => check(true),
    stop: () => clearInterval(timer),
  };
}

function warnAboutValidity(certificate: Certificate, log: Log, nowMs: number): void {
  const validity = validityOf(certificate, nowMs);
  if (validity.kind === "valid") return;
  if (validity.kind === "not_yet")
    return log.warn({ valid_from: validity.from }, "the certificate is not valid yet, so clients refuse it");
  const problem = validity.kind === "expired" ? "has expired, so clients refuse it" : "expires soon";
  log.warn({ valid_to: validity.until }, `the certificate ${problem}; renew it`);
}
