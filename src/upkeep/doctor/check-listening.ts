/** Checks what the server needs for listening: its certificate and its socket file. Connects to nothing. */
import { instantText } from "../../foundation/clock.ts";
import { lstatSync, statSync } from "node:fs";
import { bareHost, reachedAt, requireSocketPath } from "../../config/addresses.ts";
import { validityOf, parseCertificate, readTlsFiles } from "../../config/certificate.ts";
import { SELF_SIGNED, type TlsFiles } from "../../config/config.ts";
import { ConfigurationError } from "../../foundation/errors.ts";
import { type Check, type CheckInput, type Found, notice, ok, problem, sentence } from "./doctor-finding.ts";

export const listeningCheck: Check<CheckInput> = {
  name: "listening",
  find({ config, clock }) {
    const { host, tls, socket, publicUrl } = config.server;
    return [
      ...(tls === null || tls === SELF_SIGNED
        ? []
        : [...checkCertificate(tls, clock.nowMs()), ...checkKeyFile(tls)]),
      ...(tls === null || publicUrl !== "" ? [] : checkHost(host)),
      ...(socket === null ? [] : checkSocket(socket, publicUrl)),
    ];
  },
};

const AS_SERVER = {
  en: "give the right files, and run this as the user that runs the server",
  el: "δώστε τα σωστά αρχεία και εκτελέστε το ως ο χρήστης του διακομιστή",
};
const RENEW = {
  en: "renew it; a running server loads the new files by itself",
  el: "ανανεώστε το· ο διακομιστής που τρέχει παίρνει μόνος του τα νέα αρχεία",
};

function checkCertificate(files: TlsFiles, nowMs: number): Found[] {
  try {
    return [describeValidity(validityOf(parseCertificate(readTlsFiles(files)), nowMs))];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return [problem(sentence(error.text), AS_SERVER)];
  }
}

function describeValidity(validity: ReturnType<typeof validityOf>): Found {
  const { en, el } = instantText(validity.kind === "not_yet" ? validity.from : validity.until);
  switch (validity.kind) {
    case "valid":
      return ok({
        en: `The certificate is valid until ${en}.`,
        el: `Το πιστοποιητικό ισχύει έως ${el}.`,
      });
    case "expires_soon":
      return notice(
        {
          en: `The certificate expires at ${en}.`,
          el: `Το πιστοποιητικό λήγει στις ${el}.`,
        },
        RENEW,
      );
    case "expired":
      return problem(
        {
          en: `The certificate expired at ${en}: clients refuse it.`,
          el: `Το πιστοποιητικό έληξε στις ${el}: οι πελάτες το αρνούνται.`,
        },
        RENEW,
      );
    case "not_yet":
      return problem(
        {
          en: `The certificate is valid only from ${en}: until then clients refuse it.`,
          el: `Το πιστοποιητικό ισχύει από ${el}: έως τότε οι πελάτες το αρνούνται.`,
        },
        {
          en: "check the clock, and give a certificate that is valid now",
          el: "ελέγξτε το ρολόι και δώστε πιστοποιητικό που ισχύει τώρα",
        },
      );
  }
}

/** Certificates are often readable for a group; they should not be for everybody. */
function checkKeyFile({ keyFile }: TlsFiles): Found[] {
  const found = statSync(keyFile, { throwIfNoEntry: false });
  if (process.platform === "win32" || found === undefined || (found.mode & 0o007) === 0) return [];
  return [
    problem(
      {
        en: "Everybody on this machine may open the file in server.tls_key_file.",
        el: "Το αρχείο του server.tls_key_file μπορεί να το ανοίξει οποιοσδήποτε σε αυτό το μηχάνημα.",
      },
      `chmod o= ${keyFile}`,
    ),
  ];
}

/** With TLS only: without it, check-configuration.ts reports the same. */
function checkHost(host: string): Found[] {
  const bare = bareHost(host);
  if (reachedAt(bare) === bare) return [];
  return [
    notice(
      {
        en: "server.host is every address and server.public_url is not set: links lead to this machine only.",
        el: "Το server.host είναι κάθε διεύθυνση και το server.public_url δεν έχει οριστεί: οι σύνδεσμοι οδηγούν μόνο σε αυτό το μηχάνημα.",
      },
      {
        en: "set server.public_url to the https address by which others reach the server",
        el: "ορίστε στο server.public_url τη διεύθυνση https με την οποία φτάνουν οι άλλοι στον διακομιστή",
      },
    ),
  ];
}

const OTHER_SOCKET = {
  en: "set server.socket to another path",
  el: "ορίστε στο server.socket άλλη διαδρομή",
};

function checkSocket(path: string, publicUrl: string): Found[] {
  const findings = checkSocketFile(path);
  if (publicUrl !== "") return findings;
  return [
    ...findings,
    notice(
      {
        en: "server.socket is set and server.public_url is not: links lead to this machine only.",
        el: "Το server.socket έχει οριστεί και το server.public_url όχι: οι σύνδεσμοι οδηγούν μόνο σε αυτό το μηχάνημα.",
      },
      {
        en: "set server.public_url to the https address of the proxy in front of the server",
        el: "ορίστε στο server.public_url τη διεύθυνση https του διαμεσολαβητή μπροστά από τον διακομιστή",
      },
    ),
  ];
}

function checkSocketFile(path: string): Found[] {
  try {
    requireSocketPath(path);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.isSocket()) return [];
    const message = {
      en: "server.socket names something that is not a socket: the server cannot start.",
      el: "Το server.socket δείχνει κάτι που δεν είναι socket: ο διακομιστής δεν ξεκινά.",
    };
    return [problem(message, OTHER_SOCKET)];
  } catch (error) {
    const message =
      error instanceof ConfigurationError
        ? sentence(error.text)
        : { en: "server.socket cannot be examined.", el: "Το server.socket δεν μπορεί να εξεταστεί." };
    return [problem(message, OTHER_SOCKET)];
  }
}
