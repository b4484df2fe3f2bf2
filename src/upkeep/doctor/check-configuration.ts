/** Finds risky settings. */
import { statSync } from "node:fs";
import type { Config } from "../../config/config.ts";
import { listProviderAddresses } from "../../config/settings.ts";
import { type Check, type CheckInput, type Found, notice, ok, problem } from "./doctor-finding.ts";

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

/** These addresses receive credentials and tax numbers. */
function checkAddresses({ providers, taxIds }: Config): Found[] {
  const addresses: [setting: string, url: string][] = [
    ...listProviderAddresses(providers),
    ["tax_ids.registry_url", taxIds.registryUrl],
  ];
  return addresses
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
