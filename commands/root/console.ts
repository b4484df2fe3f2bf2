/** `fiscal console`: prints a one-time sign-in link for the console, or ends every console session. */
import type { Config } from "../../src/config/config.ts";
import type { CommandContext } from "../context.ts";
import { UsageError } from "../exit.ts";
import { contradiction, integer } from "../options.ts";
import { sameInBoth } from "../../src/foundation/text.ts";
import { instantText } from "../../src/operations/view.ts";
import { type Outcome, verb } from "../define.ts";

const PORT_MAX = 65_535;

export const defineConsole = verb({
  flags: {
    "--url <address>": {
      en: "address of the server (default: server.public_url, or where it listens)",
      el: "πού βρίσκεται ο διακομιστής (αν λείπει: το server.public_url, ή όπου ακούει)",
    },
    "--port <port>": {
      en: "port that the server listens on",
      el: "θύρα όπου ακούει ο διακομιστής",
      read: integer(1, PORT_MAX),
    },
    "--read-only": {
      en: "the session shows everything and changes nothing",
      el: "η είσοδος δείχνει τα πάντα και δεν αλλάζει τίποτα",
    },
    "--sign-out-all": {
      en: "end every session and unused link in both modes, and print no link",
      el: "τερματίζει κάθε συνεδρία και κάθε αχρησιμοποίητο σύνδεσμο, και στις δύο λειτουργίες, χωρίς να τυπώνει νέο",
    },
  },
  examples: [
    "fiscal console",
    "fiscal console --read-only",
    "fiscal --live console --url https://fiscal.example.com",
    "fiscal console --sign-out-all",
  ],
  fields: ["object", "mode", "read_only", "url", "expires_at", "ended"],
  async run(context, options) {
    if (options.signOutAll === true) {
      if (options.url !== undefined || options.port !== undefined || options.readOnly === true)
        throw new UsageError({
          en: "--sign-out-all prints no link: omit --url, --port and --read-only",
          el: "η --sign-out-all δεν τυπώνει σύνδεσμο: παραλείψτε τις --url, --port και --read-only",
        });
      return signOutAll(context);
    }
    const config = await context.configuration();
    const baseUrl = baseUrlOf(options, config.server) ?? (await runningUrl(config));
    const { createConsoleLink } = await import("../../src/console/sign-in.ts");
    const link = await context.withAppliance((appliance, mode) =>
      createConsoleLink(appliance, mode, { baseUrl, isReadOnly: options.readOnly }),
    );
    const until = instantText(link.expires_at);
    const note = {
      en: `The link signs in once to ${link.mode} mode, until ${until.en}, while \`fiscal serve\` is running. Do not share it: it signs in anyone who has it.`,
      el: `Ο σύνδεσμος ισχύει για μία είσοδο στη λειτουργία ${link.mode}, έως ${until.el}, όσο τρέχει η \`fiscal serve\`. Μην τον δώσετε αλλού: όποιος τον έχει μπαίνει στη θέση σας.`,
    };
    return { object: link, shown: sameInBoth(link.url), notes: [note] };
  },
});

/** The given address without a trailing slash; undefined to use the configured one. */
function baseUrlOf(
  { url, port }: { url?: string; port?: number },
  { host, tls }: Config["server"],
): string | undefined {
  if (url !== undefined && port !== undefined) throw contradiction("--url", "--port");
  if (port !== undefined) {
    const scheme = tls === null ? "http" : "https";
    return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`;
  }
  if (url === undefined) return undefined;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isAddress =
    (parsed?.protocol === "http:" || parsed?.protocol === "https:") &&
    parsed.username + parsed.password + parsed.search + parsed.hash === "";
  if (!isAddress)
    throw new UsageError({
      en: "--url takes an http or https address, such as https://fiscal.example.com",
      el: "η --url δέχεται διεύθυνση http ή https, όπως https://fiscal.example.com",
    });
  return url.replace(/\/+$/, "");
}

/** Where a server on this machine listens, unless its address is configured; undefined if none runs. */
async function runningUrl({ server, storage }: Config): Promise<string | undefined> {
  if (server.publicUrl !== "") return undefined;
  const { findServers } = await import("../../src/upkeep/servers.ts");
  return findServers(storage.database)
    .map((note) => note?.url ?? undefined)
    .find((url) => url !== undefined);
}

async function signOutAll(context: CommandContext): Promise<Outcome> {
  const { endAllConsoleSessions } = await import("../../src/console/sign-in.ts");
  const ended = await context.withAppliance((appliance) => endAllConsoleSessions(appliance));
  const shown = { en: `sessions ended: ${ended}`, el: `συνεδρίες που τερματίστηκαν: ${ended}` };
  return { object: { object: "console_sign_out", ended }, shown };
}
