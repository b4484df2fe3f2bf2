/** `fiscal webhooks listen`: events for a receiver that is being developed. */
import type { Attempt, ListenStart } from "../../src/webhooks/listening/listen.ts";
import type { EventType } from "../../storage/stored-values.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode, UsageError } from "../exit.ts";
import { listenForInterrupt, catalogueOf, type ProgramIo, tell, write } from "../io.ts";
import { askFor } from "../ui/prompt.ts";
import { printJsonLine } from "../ui/json.ts";
import { readSecretFile } from "./webhook-input.ts";

export interface ListenFlags {
  forwardTo?: string;
  events?: readonly (EventType | "*")[];
  secretFile?: string;
  after?: string;
  fromStart?: boolean;
  fromNow?: boolean;
}

/** A person waits for the next event: often enough to feel immediate, seldom enough to cost nothing. */
const INTERVAL_MS = 300;

/** The normal end is the interrupt, so it ends with 130. */
export async function runListen(context: CommandContext, flags: ListenFlags): Promise<ExitCode> {
  const { io } = context;
  const start = startOf(flags);
  const question = { flag: "--forward-to", message: "URL of the receiver" };
  const url = parseReceiver(await askFor(io, flags.forwardTo, question));
  const given = flags.secretFile === undefined ? undefined : await readOwnSecret(io, flags.secretFile);
  const { listen } = await import("../../src/webhooks/listening/listen.ts");
  const { loadListenSecret } = await import("../../src/webhooks/listening/listen-secret.ts");
  const interrupt = listenForInterrupt(io);
  try {
    await context.withAppliance(async (appliance, mode) => {
      const secret = given ?? loadListenSecret(appliance.config.dataDir);
      const last: LastAnswers = new Map();
      await listen(appliance, mode, {
        url,
        secret,
        types: typesOf(flags),
        start,
        signal: interrupt.signal,
        intervalMs: INTERVAL_MS,
        async onBegin({ after, isResumed }) {
          await tell(io, `Posting the events of ${mode} mode to ${originOf(url)}; Ctrl-C ends it.`);
          if (isResumed) await tell(io, `Going on after ${after ?? "the beginning"}.`);
          if (given === undefined) await tell(io, `The signing secret of this listener: ${secret}`);
        },
        onAttempt: (attempt) => present(context, attempt, last),
      });
    });
  } finally {
    interrupt.dispose();
  }
  return EXIT.interrupted;
}

function startOf({ after, fromStart, fromNow }: ListenFlags): ListenStart {
  const given = [after !== undefined, fromStart === true, fromNow === true].filter(Boolean).length;
  if (given > 1) throw new UsageError("--after, --from-start and --from-now contradict each other");
  if (after !== undefined) return { after };
  if (fromStart === true) return "first";
  return fromNow === true ? "now" : "resume";
}

function typesOf({ events }: ListenFlags): EventType[] | undefined {
  if (events === undefined || events.includes("*")) return undefined;
  return events.filter((type) => type !== "*");
}

/** Credentials in a URL would go into files and onto the screen; a receiver that needs some has its signature. */
function parseReceiver(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError("--forward-to takes an http or https URL like http://localhost:3000/webhooks");
  if (url.username !== "" || url.password !== "")
    throw new UsageError("--forward-to takes a URL without a user and a password in it");
  url.hash = "";
  return url;
}

/** What may be shown: a query may hold a token. */
function originOf({ origin, pathname }: URL): string {
  return origin + pathname;
}

async function readOwnSecret(io: ProgramIo, file: string): Promise<string> {
  const { isWebhookSecret } = await import("../../src/webhooks/listening/listen-secret.ts");
  const text = (await readSecretFile(io, "--secret-file", file)).toString("utf8").trim();
  if (isWebhookSecret(text)) return text;
  throw new UsageError(
    "--secret-file holds no signing secret: whsec_ and 44 characters, as it was shown once",
  );
}

/** What was printed last of the events as they happen (false) and of those that are resent (true): both go on at once. */
type LastAnswers = Map<boolean, string>;

/**
 * A line for each event with what the receiver made of it. While it does not take an event, only what is new about that:
 * a receiver that is down for an hour is one line, not hundreds.
 */
async function present(context: CommandContext, attempt: Attempt, last: LastAnswers): Promise<void> {
  const { io } = context;
  const { event, number, status, error, durationMs, isResent } = attempt;
  const answered = `${event.id} ${status ?? error ?? ""}`;
  if (last.get(isResent) === answered && error !== null) return;
  last.set(isResent, answered);
  if (context.options.json === true)
    return printJsonLine(io.stdout, {
      event: event.id,
      type: event.type,
      attempt: number,
      status,
      error,
      duration_ms: durationMs,
      resent: isResent,
    });
  const { text } = catalogueOf(io);
  const answer = status === null ? text(`no answer (${error ?? ""})`) : String(status);
  const again = error === null ? "" : text("; trying again until it answers 2xx");
  const resent = isResent ? `  ${text("resent")}` : "";
  await write(
    io.stdout,
    `${event.created}  ${event.type.padEnd(25)}  ${event.id}  ${answer}  ${durationMs} ms${resent}${again}\n`,
  );
}
