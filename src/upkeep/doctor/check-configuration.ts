/** Finds risky settings, and checks what the server needs for listening: its certificate and its socket file. Connects to nothing. */
import { lstatSync, statSync } from "node:fs";
import { type Config, listAddresses, SELF_SIGNED, type TlsFiles } from "../../config/config.ts";
import { type Check, type CheckInput, type Found, notice, ok, problem, sentence } from "./doctor-finding.ts";
import { instantText } from "../../foundation/clock.ts";
import { bareHost, reachedAt, requireSocketPath } from "../../config/addresses.ts";
import { parseCertificate, readTlsFiles, validityOf } from "../../config/certificate.ts";
import { ConfigurationError } from "../../foundation/errors.ts";

/** The length of 64 random bits in base 62; a shorter token can be guessed. */
const TOKEN_LENGTH_MIN = 11;

export const configurationCheck: Check<CheckInput> = {
  name: "configuration",
  find: ({ config }) => [
    ok({
      en: `Configuration file: ${config.file ?? "none, the defaults apply"}. Data directory: ${config.dataDir}.`,
      el: `Αρχείο ρυθμίσεων: ${config.file ?? "κανένα, ισχύουν οι προεπιλογές"}. Φάκελος δεδομένων: ${config.dataDir}.`,
    }),
    ...RISKS.filter(([applies]) => applies(config)).map(([, finding]) => finding),
    ...checkAddresses(config),
    ...checkRateLimits(config),
    ...checkFile(config),
  ],
};

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || host.startsWith("127.");
}

/** What makes a setting risky, and what is then found. */
const RISKS: readonly (readonly [applies: (config: Config) => boolean, finding: Found])[] = [
  [
    ({ server }) => server.publicUrl.startsWith("http://") && !isLoopback(new URL(server.publicUrl).hostname),
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
    ({ server: { metricsToken } }) => metricsToken !== "" && metricsToken.length < TOKEN_LENGTH_MIN,
    notice(
      {
        en: "server.metrics_token is short enough to be guessed.",
        el: "Το server.metrics_token είναι τόσο μικρό που μπορεί να μαντευτεί.",
      },
      {
        en: "set server.metrics_token to a random text of 20 characters or more",
        el: "ορίστε στο server.metrics_token τυχαίο κείμενο 20 χαρακτήρων ή περισσότερων",
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
    ({ webhooks }) => webhooks.allowNetworks.length > 0,
    notice(
      {
        en: "webhooks.allow_networks lets events be sent into private networks.",
        el: "Το webhooks.allow_networks αφήνει τα συμβάντα να στέλνονται σε ιδιωτικά δίκτυα.",
      },
      {
        en: "keep in webhooks.allow_networks only what webhooks need to reach",
        el: "κρατήστε στο webhooks.allow_networks μόνο όσα πρέπει να φτάνουν τα webhooks",
      },
    ),
  ],
  [
    ({ log }) => log.level === "debug",
    notice(
      {
        en: "log.level is debug: the log grows fast.",
        el: "Το log.level είναι debug: το αρχείο καταγραφής μεγαλώνει γρήγορα.",
      },
      { en: 'set log.level to "info"', el: 'ορίστε στο log.level το "info"' },
    ),
  ],
];

/** These addresses receive credentials and tax numbers; RISKS has the server's own. */
function checkAddresses(config: Config): Found[] {
  return listAddresses(config)
    .filter(([setting]) => setting !== "server.public_url")
    .filter(([, url]) => url.startsWith("http://") && !isLoopback(new URL(url).hostname))
    .map(([setting]) =>
      problem(
        {
          en: `${setting} is http: what is sent there can be read on the way.`,
          el: `Το ${setting} είναι http: όσα στέλνονται εκεί μπορούν να διαβαστούν στη διαδρομή.`,
        },
        {
          en: `set ${setting} to an https address, or remove it from the configuration`,
          el: `ορίστε στο ${setting} διεύθυνση https ή αφαιρέστε το από τις ρυθμίσεις`,
        },
      ),
    );
}

function checkRateLimits({ rateLimit }: Config): Found[] {
  const off = [
    ...(rateLimit.requests === 0 ? ["rate_limit.requests"] : []),
    ...(rateLimit.failedAuth === 0 ? ["rate_limit.failed_auth"] : []),
    ...(rateLimit.lookups === 0 ? ["rate_limit.lookups"] : []),
  ];
  const message = {
    en: `${off.join(" and ")} is 0: there is no limit.`,
    el: `${off.join(" και ")}: είναι 0, δεν υπάρχει όριο.`,
  };
  const next = { en: "set a limit above 0", el: "ορίστε όριο πάνω από 0" };
  return off.length === 0 ? [] : [notice(message, next)];
}

/** A configuration file with a secret should be readable for its owner only. */
function checkFile({ file, server }: Config): Found[] {
  if (file === null || server.metricsToken === "" || process.platform === "win32") return [];
  if ((statSync(file).mode & 0o077) === 0) return [];
  return [
    notice(
      {
        en: `${file} contains server.metrics_token and other users may read it.`,
        el: `Το ${file} περιέχει το server.metrics_token και μπορούν να το διαβάσουν άλλοι.`,
      },
      `chmod 600 ${file}`,
    ),
  ];
}

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

/** With TLS only: without it, RISKS has the same. */
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
