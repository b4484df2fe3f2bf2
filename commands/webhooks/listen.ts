/** `fiscal webhooks listen`: sends events to a receiver under development. */
import { instantText, wordText } from "../../src/operations/view.ts";
import type { Text } from "../../src/foundation/text.ts";
import { type Attempt, listen, type ListenStart } from "../../src/webhooks/listening/listen.ts";
import { isWebhookSecret, loadListenSecret } from "../../src/webhooks/listening/listen-files.ts";
import { ALL_TYPES, EVENTS_FLAG } from "../../src/operations/webhooks.ts";
import { EVENT_TYPES, type EventType } from "../../src/domain/vocabulary.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, UsageError } from "../exit.ts";
import { outputSettingsOf, printNote, type ProgramIo, write } from "../io.ts";
import { choices, contradiction, UNTIL_INTERRUPTED } from "../options.ts";
import { printJsonLine } from "../ui/json.ts";
import { askFor } from "../ui/prompt.ts";
import { readSecretFile } from "../input-files.ts";
import { type Flags, type OptionsOf, verb } from "../define.ts";

const NOTES: Text = {
  en: `Each event is sent until the receiver responds with 2xx, then the next one. After a restart of either side it continues
where it stopped, unless --after, --from-start or --from-now is given; --after also skips an event that the receiver does
not accept. Events are signed with a secret that is created once and printed at the start, or with the one in --secret-file.`,
  el: `Κάθε συμβάν στέλνεται μέχρι ο παραλήπτης να απαντήσει 2xx, και μετά το επόμενο. Όποια πλευρά κι αν ξαναρχίσει, συνεχίζει
από εκεί που σταμάτησε, εκτός αν δοθεί --after, --from-start ή --from-now· η --after προσπερνά και ένα συμβάν που ο παραλήπτης
δεν δέχεται. Υπογράφει με μυστικό που δημιουργείται μία φορά και τυπώνεται στην αρχή, ή με εκείνο της --secret-file.`,
};

const FLAGS = {
  "--forward-to <url>": { en: "URL of the receiver", el: "διεύθυνση URL του παραλήπτη" },
  "--events <types...>": { ...EVENTS_FLAG.help, read: choices([ALL_TYPES, ...EVENT_TYPES]) },
  "--secret-file <file>": {
    en: "file with the signing secret",
    el: "αρχείο που περιέχει το μυστικό υπογραφής",
  },
  "--after <event>": {
    en: "start with the events after this one",
    el: "ξεκινά από τα συμβάντα μετά από αυτό",
  },
  "--from-start": { en: "start with the oldest event", el: "ξεκινά από το παλαιότερο συμβάν" },
  "--from-now": { en: "start with the next event", el: "ξεκινά από όσα συμβούν από εδώ και πέρα" },
} satisfies Flags;

type ListenOptions = OptionsOf<typeof FLAGS>;

export const defineListen = verb({
  flags: FLAGS,
  notes: NOTES,
  examples: [
    {
      line: "fiscal webhooks listen --forward-to http://localhost:3000/webhooks --events document.issued",
      note: UNTIL_INTERRUPTED,
    },
  ],
  fields: ["event", "type", "attempt", "status", "error", "duration_ms", "resent"],
  /** Runs until it is interrupted, so it ends with 130. */
  async run(context, options) {
    const { io } = context;
    const start = startOf(options);
    const message = { en: "URL of the receiver", el: "Διεύθυνση URL του παραλήπτη" };
    const url = parseReceiver(await askFor(io, options.forwardTo, { flag: "--forward-to", message }));
    const given = options.secretFile === undefined ? undefined : await readOwnSecret(io, options.secretFile);
    await context.interruptible(async (appliance, mode, signal) => {
      const secret = given ?? loadListenSecret(appliance.config.dataDir);
      const last: LastAnswers = new Map();
      await listen(appliance, mode, {
        url,
        secret,
        types: typesOf(options),
        start,
        signal,
        intervalMs: INTERVAL_MS,
        async onBegin({ after, isResumed }) {
          const modeWord = wordText(mode);
          await printNote(io, {
            en: `Sending the events of ${modeWord.en} mode to ${originOf(url)}; Ctrl-C ends it.`,
            el: `Τα συμβάντα (λειτουργία: ${modeWord.el}) στέλνονται στο ${originOf(url)}· σταματά με Ctrl-C.`,
          });
          if (isResumed) await printNote(io, resumedText(after));
          if (given === undefined)
            await printNote(io, {
              en: `The signing secret of this listener: ${secret}`,
              el: `Το μυστικό υπογραφής εδώ: ${secret}`,
            });
        },
        onAttempt: (attempt) => printAttempt(context, attempt, last),
      });
    });
    return EXIT.interrupted;
  },
});

/** Often enough to feel immediate to a person, rarely enough to cost nothing. */
const INTERVAL_MS = 300;

function resumedText(after: string | null): Text {
  return after === null
    ? { en: "Continuing from the beginning.", el: "Συνεχίζει από την αρχή." }
    : { en: `Continuing after ${after}.`, el: `Συνεχίζει μετά από το ${after}.` };
}

function startOf({ after, fromStart, fromNow }: ListenOptions): ListenStart {
  const given = [after !== undefined, fromStart === true, fromNow === true].filter(Boolean).length;
  if (given > 1) throw contradiction("--after", "--from-start", "--from-now");
  if (after !== undefined) return { after };
  if (fromStart === true) return "first";
  return fromNow === true ? "now" : "resume";
}

function typesOf({ events }: ListenOptions): EventType[] | undefined {
  if (events === undefined || events.includes(ALL_TYPES)) return undefined;
  return events.filter((type) => type !== ALL_TYPES);
}

/** Rejects credentials in the URL, because they would appear in files and on the screen. Receivers check the signature instead. */
function parseReceiver(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError({
      en: "--forward-to takes an http or https URL like http://localhost:3000/webhooks",
      el: "η --forward-to δέχεται διεύθυνση http ή https, όπως http://localhost:3000/webhooks",
    });
  if (url.username !== "" || url.password !== "")
    throw new UsageError({
      en: "--forward-to takes a URL without a user and a password in it",
      el: "η --forward-to δέχεται διεύθυνση URL χωρίς χρήστη και κωδικό μέσα της",
    });
  url.hash = "";
  return url;
}

/** The URL without its query, which may hold a token. */
function originOf({ origin, pathname }: URL): string {
  return origin + pathname;
}

async function readOwnSecret(io: ProgramIo, file: string): Promise<string> {
  const text = (await readSecretFile(io, "--secret-file", file)).toString("utf8").trim();
  if (isWebhookSecret(text)) return text;
  throw new UsageError({
    en: "--secret-file has no signing secret: whsec_ and 44 characters",
    el: "η --secret-file δεν περιέχει μυστικό υπογραφής: whsec_ και 44 χαρακτήρες",
  });
}

/** The last result printed for new events (key false) and for resent ones (key true), which run at the same time. */
type LastAnswers = Map<boolean, string>;

/**
 * Prints a line for each event with the receiver's response. Repeated failures of an event print only when the result
 * changes, so that a receiver that is down for an hour causes one line, not hundreds.
 */
async function printAttempt(context: CommandContext, attempt: Attempt, last: LastAnswers): Promise<void> {
  const { io } = context;
  const { event, number, status, error, durationMs, isResent } = attempt;
  const result = `${event.id} ${status ?? error ?? ""}`;
  if (last.get(isResent) === result && error !== null) return;
  last.set(isResent, result);
  if (context.options.json === true)
    return printJsonLine(io, {
      event: event.id,
      type: event.type,
      attempt: number,
      status,
      error,
      duration_ms: durationMs,
      resent: isResent,
    });
  const { language } = outputSettingsOf(io);
  const response = status === null ? `${NO_RESPONSE[language]} (${error ?? ""})` : String(status);
  const resent = isResent ? `  ${RESENT[language]}` : "";
  const retrying = error === null ? "" : RETRYING[language];
  await write(
    io.stdout,
    `${instantText(event.created)[language]}  ${event.type.padEnd(25)}  ${event.id}  ${response}  ${durationMs} ms${resent}${retrying}\n`,
  );
}

const NO_RESPONSE: Text = { en: "no response", el: "καμία απάντηση" };
const RESENT: Text = { en: "resent", el: "ξανά" };
const RETRYING: Text = {
  en: "; retrying until it responds with 2xx",
  el: "· δοκιμάζει ξανά μέχρι να απαντήσει 2xx",
};
