/** Finds risky settings, and checks what the server needs for listening: its certificate and its socket file. Connects to nothing. */
import { lstatSync, statSync } from "node:fs";
import { type Config, listAddresses, SELF_SIGNED, type TlsFiles } from "../../config/config.ts";
import { type Check, type CheckInput, type Found, notice, ok, problem, sentence } from "./doctor-finding.ts";
import { instantText } from "../../foundation/clock.ts";
import { bareHost, reachedAt, requireSocketPath } from "../../config/addresses.ts";
import { parseCertificate, readTlsFiles, validityOf } from "../../config/certificate.ts";
import { ConfigurationError } from "../../foundation/errors.ts";

export const configurationCheck: Check<CheckInput> = {
  name: "configuration",
  *find({ config }) {
    yield ok({
      en: `Configuration file: ${config.file ?? "none, the defaults apply"}. Data directory: ${config.dataDir}.`,
      el: `Αρχείο ρυθμίσεων: ${config.file ?? "κανένα, ισχύουν οι προεπιλογές"}. Φάκελος δεδομένων: ${config.dataDir}.`,
    });
    for (const [applies, finding] of RISKS) if (applies(config)) yield finding;
    yield* checkAddresses(config);
    yield* checkFile(config);
  },
};

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || host.startsWith("127.");
}

/** Whether what is sent to the address crosses a network unencrypted. */
function crossesOpenly(url: string): boolean {
  return url.startsWith("http://") && !isLoopback(new URL(url).hostname);
}

const RISKS: readonly (readonly [applies: (config: Config) => boolean, finding: Found])[] = [
  [
    ({ server }) => crossesOpenly(server.publicUrl),
    problem(
      {
        en: "server.public_url is http: keys and credentials cross the network unencrypted.",
        el: "Το server.public_url είναι http: κλειδιά και διαπιστευτήρια περνούν ανοιχτά από το δίκτυο.",
      },
      {
        en: "put a TLS proxy in front of the server, and set server.public_url to its https address",
        el: "βάλτε μπροστά από τον διακομιστή έναν διαμεσολαβητή με TLS και στο server.public_url τη διεύθυνσή του https",
      },
    ),
  ],
  [
    ({ server: { host, publicUrl, tls, socket } }) =>
      !isLoopback(host) && publicUrl === "" && tls === null && socket === null,
    problem(
      {
        en: "server.host is public and server.public_url is not set: there is no TLS, and links have no public address.",
        el: "Το server.host είναι δημόσιο και το server.public_url δεν έχει οριστεί: δεν υπάρχει TLS, και οι σύνδεσμοι δεν έχουν δημόσια διεύθυνση.",
      },
      {
        en: "set server.public_url to the https address of the proxy in front of the server, or server.host to 127.0.0.1",
        el: "ορίστε στο server.public_url τη διεύθυνση https του διαμεσολαβητή μπροστά από τον διακομιστή, ή στο server.host το 127.0.0.1",
      },
    ),
  ],
  [
    ({ server }) => server.trustedProxies.some((network) => network.endsWith("/0")),
    problem(
      {
        en: "server.trusted_proxies trusts every address: anyone may claim where a request comes from.",
        el: "Το server.trusted_proxies εμπιστεύεται κάθε διεύθυνση: οποιοσδήποτε μπορεί να δηλώσει από πού έρχεται ένα αίτημα.",
      },
      {
        en: "list only the addresses of your own proxies in server.trusted_proxies",
        el: "βάλτε στο server.trusted_proxies μόνο τις διευθύνσεις των δικών σας διαμεσολαβητών",
      },
    ),
  ],
  [
    ({ server: { host, publicUrl, tls, socket } }) =>
      publicUrl === "" && (socket !== null || (tls !== null && reachedAt(bareHost(host)) !== bareHost(host))),
    notice(
      {
        en: "server.public_url is not set: links lead to this machine only.",
        el: "Το server.public_url δεν έχει οριστεί: οι σύνδεσμοι οδηγούν μόνο σε αυτό το μηχάνημα.",
      },
      {
        en: "set server.public_url to the https address by which others reach the server",
        el: "ορίστε στο server.public_url τη διεύθυνση https με την οποία φτάνουν οι άλλοι στον διακομιστή",
      },
    ),
  ],
];

/** These addresses receive credentials and tax numbers; RISKS has the server's own. */
function* checkAddresses(config: Config): Generator<Found> {
  for (const [setting, url] of listAddresses(config)) {
    if (setting === "server.public_url" || !crossesOpenly(url)) continue;
    const message = {
      en: `${setting} is http: what is sent there can be read on the way.`,
      el: `Το ${setting} είναι http: όσα στέλνονται εκεί μπορούν να διαβαστούν στη διαδρομή.`,
    };
    const next = {
      en: `set ${setting} to an https address, or remove it from the configuration`,
      el: `ορίστε στο ${setting} διεύθυνση https ή αφαιρέστε το από τις ρυθμίσεις`,
    };
    yield problem(message, next);
  }
}

/** A configuration file with a secret should be readable for its owner only. */
function* checkFile({ file, server }: Config): Generator<Found> {
  if (file === null || server.metricsToken === "" || process.platform === "win32") return;
  if ((statSync(file).mode & 0o077) === 0) return;
  const message = {
    en: `${file} contains server.metrics_token and other users may read it.`,
    el: `Το ${file} περιέχει το server.metrics_token και μπορούν να το διαβάσουν άλλοι.`,
  };
  yield notice(message, `chmod 600 ${file}`);
}

export const listeningCheck: Check<CheckInput> = {
  name: "listening",
  *find({ config: { server }, clock }) {
    const { tls, socket } = server;
    if (tls !== null && tls !== SELF_SIGNED) {
      yield checkCertificate(tls, clock.nowMs());
      yield* checkKeyFile(tls);
    }
    if (socket !== null) yield* checkSocketFile(socket);
  },
};

const AS_SERVER = {
  en: "give the right files, and run this as the user that runs the server",
  el: "δώστε τα σωστά αρχεία και εκτελέστε το ως ο χρήστης του διακομιστή",
};
const RENEW = {
  en: "check the clock, or renew it; a running server loads the new files by itself",
  el: "ελέγξτε το ρολόι ή ανανεώστε το· ο διακομιστής που τρέχει παίρνει μόνος του τα νέα αρχεία",
};

function checkCertificate(files: TlsFiles, nowMs: number): Found {
  try {
    return describeValidity(validityOf(parseCertificate(readTlsFiles(files)), nowMs));
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return problem(sentence(error.text), AS_SERVER);
  }
}

function describeValidity(validity: ReturnType<typeof validityOf>): Found {
  if (validity.kind === "not_yet") {
    const { en, el } = instantText(validity.from);
    const message = {
      en: `The certificate is valid only from ${en}: until then clients refuse it.`,
      el: `Το πιστοποιητικό ισχύει από ${el}: έως τότε οι πελάτες το αρνούνται.`,
    };
    return problem(message, RENEW);
  }
  const { en, el } = instantText(validity.until);
  const message = {
    en: `The certificate is valid until ${en}; after that clients refuse it.`,
    el: `Το πιστοποιητικό ισχύει έως ${el}· έπειτα οι πελάτες το αρνούνται.`,
  };
  if (validity.kind === "valid") return ok(message);
  return validity.kind === "expired" ? problem(message, RENEW) : notice(message, RENEW);
}

/** Certificates are often readable for a group; they should not be for everybody. */
function* checkKeyFile({ keyFile }: TlsFiles): Generator<Found> {
  const found = statSync(keyFile, { throwIfNoEntry: false });
  if (process.platform === "win32" || found === undefined || (found.mode & 0o007) === 0) return;
  const message = {
    en: "Everybody on this machine may open the file in server.tls_key_file.",
    el: "Το αρχείο του server.tls_key_file μπορεί να το ανοίξει οποιοσδήποτε σε αυτό το μηχάνημα.",
  };
  yield problem(message, `chmod o= ${keyFile}`);
}

const OTHER_SOCKET = {
  en: "set server.socket to another path",
  el: "ορίστε στο server.socket άλλη διαδρομή",
};

function* checkSocketFile(path: string): Generator<Found> {
  try {
    requireSocketPath(path);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.isSocket()) return;
    const message = {
      en: "server.socket names something that is not a socket: the server cannot start.",
      el: "Το server.socket δείχνει κάτι που δεν είναι socket: ο διακομιστής δεν ξεκινά.",
    };
    yield problem(message, OTHER_SOCKET);
  } catch (error) {
    const message =
      error instanceof ConfigurationError
        ? sentence(error.text)
        : { en: "server.socket cannot be examined.", el: "Το server.socket δεν μπορεί να εξεταστεί." };
    yield problem(message, OTHER_SOCKET);
  }
}
