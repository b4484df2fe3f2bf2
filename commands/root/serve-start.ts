/** What `fiscal serve` prints when it has started. */
import type { Appliance } from "../../src/appliance.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { CommandContext } from "../context.ts";
import { outputSettingsOf, type ProgramIo, printLine } from "../io.ts";
import { printJson } from "../ui/json.ts";
import { instantText } from "../ui/values.ts";

/** A person started the server, and reads what it prints. */
export function isWatched(io: ProgramIo): boolean {
  return io.stdout.isTTY === true && io.stderr.isTTY === true && !outputSettingsOf(io).quiet;
}

/** `url` is where the server listens. See docs/contract.md#start-of-the-server. */
export async function printStart(
  context: CommandContext,
  appliance: Appliance,
  mode: Mode,
  url: string,
): Promise<void> {
  const { io } = context;
  if (context.options.json === true) return printJson(io, { url });
  await printLine(io, { en: `fiscal listens on ${url}`, el: `το fiscal ακούει στο ${url}` });
  if (!isWatched(io)) return;
  const { dataDir } = appliance.config;
  await printLine(io, { en: `Data directory: ${dataDir}`, el: `Φάκελος δεδομένων: ${dataDir}` });
  // Over a socket file the address for browsers is unknown.
  if (!url.startsWith("unix:")) await printConsole(io, appliance, mode);
  await printLine(io, { en: "Stop it with Ctrl-C.", el: "Σταματά με Ctrl-C." });
}

/** With a sign-in link until someone has signed in. Afterwards a link is only made on request, because it lets anyone in. */
async function printConsole(io: ProgramIo, appliance: Appliance, mode: Mode): Promise<void> {
  const { createConsoleLink, hasConsoleVisitors } = await import("../../src/console/sign-in.ts");
  if (await hasConsoleVisitors(appliance)) {
    const address = `${appliance.publicUrl()}/console`;
    return printLine(io, {
      en: `Console: ${address} (\`fiscal console\` prints a sign-in link)`,
      el: `Κονσόλα: ${address} (σύνδεσμο εισόδου τυπώνει η \`fiscal console\`)`,
    });
  }
  const link = await createConsoleLink(appliance, mode);
  const until = instantText(link.expires_at);
  await printLine(io, {
    en: `Console: ${link.url} (signs in once to ${mode} mode, until ${until.en})`,
    el: `Κονσόλα: ${link.url} (για μία είσοδο στη λειτουργία ${mode}, έως ${until.el})`,
  });
}
