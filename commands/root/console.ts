/** `fiscal console`: a one-time link into the console of a running server, and the end of every session. */
import type { Command } from "commander";
import type { Config } from "../../src/config/config.ts";
import type { CommandContext } from "../context.ts";
import { UsageError } from "../exit.ts";
import { say, tell, write } from "../io.ts";
import { integer, withExample } from "../options.ts";
import { printJson } from "../ui/json.ts";

interface ConsoleOptions {
  port?: number;
  url?: string;
  signOutAll?: boolean;
}

const PORT_MAX = 65_535;

export function defineConsole(command: Command, context: CommandContext): void {
  withExample(
    command
      .option(
        "--url <address>",
        "where the server is reached (default: server.public_url, or where it listens)",
      )
      .option("--port <port>", "port that the server listens on", integer("--port", 1, PORT_MAX))
      .option("--sign-out-all", "end every session and every unused link, in both modes, and print none")
      .action((options: ConsoleOptions) => context.end(runConsole(context, options))),
    "fiscal console",
    "fiscal --live console --url https://fiscal.example.com",
    "fiscal console --sign-out-all",
  );
}

/** The address without a slash at its end; undefined for that of the configuration. */
function baseUrlOf({ url, port }: ConsoleOptions, { host, tls }: Config["server"]): string | undefined {
  if (url !== undefined && port !== undefined)
    throw new UsageError("--url and --port contradict each other; give one of them");
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
    throw new UsageError("--url takes an http or https address, such as https://fiscal.example.com");
  return url.replace(/\/+$/, "");
}

async function runConsole(context: CommandContext, options: ConsoleOptions): Promise<void> {
  if (options.signOutAll === true) {
    if (options.url !== undefined || options.port !== undefined)
      throw new UsageError("--sign-out-all prints no link: leave --url and --port out");
    return signOutAll(context);
  }
  return printLink(context, options);
}

async function signOutAll(context: CommandContext): Promise<void> {
  const { io } = context;
  const { endAllConsoleSessions } = await import("../../src/console/sign-in.ts");
  const ended = await context.withAppliance((appliance) => endAllConsoleSessions(appliance));
  if (context.options.json === true) await printJson(io.stdout, { object: "console_sign_out", ended });
  else await say(io, `${ended} ${ended === 1 ? "session" : "sessions"} ended`);
}

async function printLink(context: CommandContext, options: ConsoleOptions): Promise<void> {
  const { io } = context;
  const { server } = await context.configuration();
  const baseUrl = baseUrlOf(options, server);
  const { createConsoleLink } = await import("../../src/console/sign-in.ts");
  const link = await context.withAppliance((appliance, mode) => createConsoleLink(appliance, mode, baseUrl));
  if (context.options.json === true) await printJson(io.stdout, link);
  else await write(io.stdout, `${link.url}\n`);
  await tell(
    io,
    `Signs in once to ${link.mode} mode, until ${link.expires_at}, while \`fiscal serve\` runs. Whoever has it is you: do not pass it on.`,
  );
}
