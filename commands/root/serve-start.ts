/** What `fiscal serve` does when it has started: prints where it listens, and signs in to the console with the browser. */
import type { Appliance } from "../../src/appliance.ts";
import { SELF_SIGNED } from "../../src/config/config.ts";
import type { ConsoleLink } from "../../src/console/sign-in.ts";
import type { Mode } from "../../src/domain/vocabulary.ts";
import type { CommandContext } from "../context.ts";
import { outputSettingsOf, printLine, printProblem, type ProgramIo, write } from "../io.ts";
import { printJson } from "../ui/json.ts";
import { instantText } from "../../src/operations/view.ts";
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { writePrivateFile } from "../../src/foundation/system.ts";

/** A person started the server, and reads what it prints. */
export function isAtTerminal(io: ProgramIo): boolean {
  return io.stdout.isTTY === true && io.stderr.isTTY === true && !outputSettingsOf(io).quiet;
}

interface Start {
  /** Where the server listens. */
  url: string;
  /** May be impossible under the sandbox of a service. */
  findNetworkUrls(): Promise<string[]>;
  /** Whether to open the console in the browser. */
  isOpened: boolean;
  /** Whether to print the console's address on the network as a QR code. */
  hasQr: boolean;
}

/** docs/contract.md#start-of-the-server */
export async function printStart(
  context: CommandContext,
  appliance: Appliance,
  mode: Mode,
  { url, findNetworkUrls, isOpened, hasQr }: Start,
): Promise<void> {
  const { io } = context;
  const isForPeople = context.options.json !== true;
  if (isForPeople) await printLine(io, { en: `fiscal listens on ${url}`, el: `το fiscal ακούει στο ${url}` });
  else await printJson(io, { url });
  const isShown = isForPeople && isAtTerminal(io);
  const networkUrls = isShown || (isForPeople && hasQr) ? await findNetworkUrls() : [];
  if (isShown) await printPlace(io, appliance, networkUrls);
  if (isForPeople && hasQr) await printQr(io, networkUrls[0]);
  // Over a socket file the address for browsers is unknown.
  const needsLink = (isShown || isOpened) && !url.startsWith("unix:");
  const link = needsLink ? await linkFor(appliance, mode, isOpened) : undefined;
  if (isShown && link !== undefined) await printConsole(io, appliance, link);
  if (isShown) await printLine(io, { en: "Stop it with Ctrl-C.", el: "Σταματά με Ctrl-C." });
  if (isOpened && link !== undefined && link !== "used before") await openConsole(io, appliance, link.url);
}

async function printPlace(
  io: ProgramIo,
  { config }: Appliance,
  networkUrls: readonly string[],
): Promise<void> {
  for (const url of networkUrls)
    await printLine(io, { en: `On the network: ${url}`, el: `Στο δίκτυο: ${url}` });
  const { dataDir } = config;
  await printLine(io, { en: `Data directory: ${dataDir}`, el: `Φάκελος δεδομένων: ${dataDir}` });
  if (config.server.tls === SELF_SIGNED)
    await printLine(io, {
      en: "The certificate is made for this run and signed by nobody: the browser warns before the first page.",
      el: "Το πιστοποιητικό φτιάχτηκε για αυτή την εκτέλεση και δεν το υπογράφει κανείς: ο φυλλομετρητής προειδοποιεί πριν από την πρώτη σελίδα.",
    });
}

/** For a phone, which has no other way to get the address. */
async function printQr(io: ProgramIo, networkUrl: string | undefined): Promise<void> {
  if (networkUrl === undefined)
    return printProblem(io, {
      en: "No other machine reaches this server, so there is no QR code; --host 0.0.0.0 listens on the network.",
      el: "Ο διακομιστής δεν είναι προσβάσιμος από άλλον υπολογιστή, γι' αυτό δεν υπάρχει κωδικός QR· με --host 0.0.0.0 ακούει στο δίκτυο.",
    });
  const { default: qrcode } = await import("qrcode");
  const code = await qrcode.toString(`${networkUrl}/console`, { type: "utf8", errorCorrectionLevel: "L" });
  await write(io.stdout, `${code}\n`);
}

/** A sign-in link to open, or until someone has signed in. Afterwards one is only made on request, because it lets anyone in. */
async function linkFor(
  appliance: Appliance,
  mode: Mode,
  isOpened: boolean,
): Promise<ConsoleLink | "used before"> {
  const { createConsoleLink, hasConsoleVisitors } = await import("../../src/console/sign-in.ts");
  if (!isOpened && (await hasConsoleVisitors(appliance))) return "used before";
  return createConsoleLink(appliance, mode);
}

async function printConsole(
  io: ProgramIo,
  appliance: Appliance,
  link: ConsoleLink | "used before",
): Promise<void> {
  if (link === "used before") {
    const address = `${appliance.publicUrl()}/console`;
    return printLine(io, {
      en: `Console: ${address} (\`fiscal console\` prints a sign-in link)`,
      el: `Κονσόλα: ${address} (σύνδεσμο εισόδου τυπώνει η \`fiscal console\`)`,
    });
  }
  const until = instantText(link.expires_at);
  await printLine(io, {
    en: `Console: ${link.url} (signs in once to ${link.mode} mode, until ${until.en})`,
    el: `Κονσόλα: ${link.url} (για μία είσοδο στη λειτουργία ${link.mode}, έως ${until.el})`,
  });
}

async function openConsole(io: ProgramIo, { config }: Appliance, url: string): Promise<void> {
  if (await signInWithBrowser(url, { dataDir: config.dataDir, env: io.env })) return;
  await printProblem(io, {
    en: "The browser could not be started; `fiscal console` prints a sign-in link.",
    el: "Ο φυλλομετρητής δεν ξεκίνησε· σύνδεσμο εισόδου τυπώνει η `fiscal console`.",
  });
}

/** The system's program for it, found in the PATH. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Of the folder of data. */
const FILE_NAME = "sign-in.html";
/** Long enough for a slow machine to start its browser. */
const FILE_MS = 60_000;

/**
 * Whether the program that opens browsers could be started. It gets a file that only this user can read and that submits the link: every
 * user of the machine sees the arguments of a program. The browser inherits no setting of fiscal, which may be a secret.
 */
async function signInWithBrowser(
  link: string,
  { dataDir, env }: { dataDir: string; env: Readonly<Record<string, string | undefined>> },
): Promise<boolean> {
  const file = join(dataDir, FILE_NAME);
  rmSync(file, { force: true });
  writePrivateFile(file, pageFor(link), "wx");
  setTimeout(() => rmSync(file, { force: true }), FILE_MS).unref();
  return start(file, env);
}

/** Not listhen's `open`, which runs a file of the shared temporary folder. */
function start(file: string, env: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  const [program, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const others = Object.entries(env).filter(([name]) => !/^fiscal_/i.test(name));
  const child = spawn(program, [...args, file], {
    env: Object.fromEntries(others),
    stdio: "ignore",
    detached: true,
  });
  return new Promise((resolve) => {
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}

/** The button is for a browser without scripts. `link` has no character that HTML would escape. */
function pageFor(link: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<title>fiscal</title>
<form method="post" action="${link}"><button>Sign in / Είσοδος</button></form>
<script>document.forms[0].submit();</script>
</html>
`;
}
