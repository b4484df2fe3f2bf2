/** What the server would meet when it starts to listen: its certificate and its socket file. Nothing is connected to. */
import { lstatSync, statSync } from "node:fs";
import { bareHost, reachedAt } from "../../config/address.ts";
import { judgeValidity, parseCertificate, readTlsFiles } from "../../config/certificate.ts";
import { requireSocketPath } from "../../config/socket-path.ts";
import type { TlsFiles } from "../../config/tls-files.ts";
import { ConfigurationError } from "../../foundation/errors.ts";
import { type Finding, findingsOf, type Patient } from "./doctor-finding.ts";

const { ok, notice, problem } = findingsOf("listening");

export function checkListening(patient: Patient): Finding[] {
  const { host, tls, socket, publicUrl } = patient.config.server;
  return [
    ...(tls === null ? [] : [...judgeCertificate(tls, patient.clock.nowMs()), ...judgeKeyFile(tls)]),
    ...(tls === null || publicUrl !== "" ? [] : judgeHost(host)),
    ...(socket === null ? [] : judgeSocket(socket, publicUrl)),
  ];
}

const AS_SERVER = "give the right files, and run this as the user that the server runs as";
const RENEW = "renew it; the running server takes up the new files by itself";

function judgeCertificate(files: TlsFiles, nowMs: number): Finding[] {
  try {
    const validity = judgeValidity(parseCertificate(readTlsFiles(files)), nowMs);
    switch (validity.kind) {
      case "valid":
        return [ok(`The certificate is valid until ${validity.until}.`)];
      case "expires_soon":
        return [notice(`The certificate expires at ${validity.until}.`, { next: RENEW })];
      case "expired":
        return [problem(`The certificate expired at ${validity.until}: clients refuse it.`, { next: RENEW })];
      case "not_yet":
        return [
          problem(`The certificate is valid from ${validity.from} on: until then clients refuse it.`, {
            next: "look whether the clock is right, and give one that is valid now",
          }),
        ];
    }
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return [problem(`${error.message}.`, { next: AS_SERVER })];
  }
}

/** Groups of certificates are usual; everybody is not. */
function judgeKeyFile({ keyFile }: TlsFiles): Finding[] {
  const found = statSync(keyFile, { throwIfNoEntry: false });
  if (process.platform === "win32" || found === undefined || (found.mode & 0o007) === 0) return [];
  return [
    problem("Everybody on this machine may open the file in server.tls_key_file.", {
      next: `chmod o= ${keyFile}`,
    }),
  ];
}

/** Without TLS it is a finding of the configuration. */
function judgeHost(host: string): Finding[] {
  const bare = bareHost(host);
  if (reachedAt(bare) === bare) return [];
  return [
    notice(
      "server.host is every address and server.public_url is not set: links lead to this machine only.",
      {
        next: "set server.public_url to the https address that others reach the server by",
      },
    ),
  ];
}

function judgeSocket(path: string, publicUrl: string): Finding[] {
  const findings: Finding[] = [];
  try {
    requireSocketPath(path);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found !== undefined && !found.isSocket()) {
      findings.push(
        problem("server.socket names something that is no socket: the server does not start.", {
          next: "set server.socket to another path",
        }),
      );
    }
  } catch (error) {
    const reason = error instanceof ConfigurationError ? error.message : "server.socket cannot be looked at";
    findings.push(problem(`${reason}.`, { next: "set server.socket to another path" }));
  }
  if (publicUrl === "") {
    findings.push(
      notice("server.socket is set and server.public_url is not: links lead to this machine only.", {
        next: "set server.public_url to the https address of the proxy before the server",
      }),
    );
  }
  return findings;
}
