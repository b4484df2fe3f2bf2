/** Creates certificates for 127.0.0.1 and localhost with openssl, because Node can only read them. */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const HAS_OPENSSL = spawnSync("openssl", ["version"]).status === 0;

export interface Pair {
  certFile: string;
  keyFile: string;
  /** The certificate, to be trusted by clients. */
  ca: Buffer;
}

export interface PairOptions {
  /** Negative for an expired certificate. */
  days?: number;
  passphrase?: string;
}

/** Writes `name.crt` and `name.key` into `folder`. */
export function makePair(folder: string, name: string, { days = 30, passphrase }: PairOptions = {}): Pair {
  const [certFile, keyFile] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const request = join(folder, `${name}.csr`);
  const openssl = (...args: string[]) => execFileSync("openssl", args, { stdio: "pipe" });
  const made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-subj", "/CN=localhost"];
  const names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const locked = passphrase === undefined ? ["-nodes"] : ["-passout", `pass:${passphrase}`];
  const opened = passphrase === undefined ? [] : ["-passin", `pass:${passphrase}`];
  openssl("req", "-new", ...made, ...names, ...locked, "-keyout", keyFile, "-out", request);
  const signed = ["-req", "-in", request, "-copy_extensions", "copy", "-signkey", keyFile, ...opened];
  openssl("x509", ...signed, "-days", String(days), "-out", certFile);
  return { certFile, keyFile, ca: readFileSync(certFile) };
}
