/** Mails the problems that `doctor` finds when they begin and when they end (docs/contract.md#alerts). */
import { instantText } from "../foundation/clock.ts";
import { deleteAlert, findAlerts, type AlertRow } from "../../storage/upkeep/diagnosis.ts";
import type { Session } from "../../storage/database/session.ts";
import { findWatermark, upsertWatermark } from "../../storage/upkeep/appliance-state.ts";
import type { Language, Text } from "../foundation/text.ts";
import type { Context } from "../journal/context.ts";
import { isHeld } from "../journal/held.ts";
import { explainMailFailure, htmlOf, type Letter, postMail } from "../mail/post.ts";
import type { Finding } from "./doctor/doctor-finding.ts";
import type { Mode } from "../../storage/stored-values.ts";
import { hash } from "node:crypto";

export interface Alerting {
  diagnose(signal: AbortSignal, options: { deep: boolean }): Promise<Finding[]>;
  language: Language;
}

const INTERVAL_MS = 3_600_000;
/** Reading every page of a large database takes minutes. */
const DEEP_INTERVAL_MS = 7 * 86_400_000;
/** After a mail or a diagnosis that failed. */
const RETRY_MS = 300_000;
/** Tolerated difference between the clocks of servers on one database. */
const AHEAD_MS = 60_000;
/** Names the watermark with the instant at which the next check is due. */
const ALERT_WATERMARK = "alerts";
/** Names the watermark with the instant of the last check that read every page and found no damage. */
const DEEP_WATERMARK = "deep check";

/** Checks if a check is due. Only one of several servers on a database does. A held appliance sends nothing. */
export async function alertWhenDue(context: Context, alerting: Alerting): Promise<void> {
  const { store, clock } = context;
  const isDue = async (session: Session) => {
    const dueMs = Date.parse((await findWatermark(session, { name: ALERT_WATERMARK })) ?? "") || 0;
    // A clock that ran ahead must not put the check off.
    return dueMs <= clock.nowMs() || dueMs > clock.nowMs() + INTERVAL_MS + AHEAD_MS;
  };
  if (!(await isDue(store.read)) || (await isHeld(store.read))) return;
  const isMine = await store.write(async (trx) => {
    if (!(await isDue(trx))) return false;
    // If this process ends while it checks, the next check comes soon.
    await upsertWatermark(trx, { name: ALERT_WATERMARK, through: instantAfter(context, RETRY_MS) });
    return true;
  });
  if (!isMine) return;
  const deep = await isDeepDue(context);
  const findings = await alerting.diagnose(context.cut, { deep });
  const changes = compareAlerts(findings, await findAlerts(store.read));
  const isNews = changes.begun.length + changes.ended.length > 0;
  if (isNews && !(await mail(context, alerting, changes))) return;
  // Damage is looked for again every hour: otherwise the next check would report that it has ended.
  const isSound =
    deep && findings.every(({ check, severity }) => check !== "database" || severity !== "problem");
  await remember(context, changes, isSound);
}

/** An instant in the future was left by a clock that ran ahead. */
async function isDeepDue({ store, clock }: Context): Promise<boolean> {
  const ageMs =
    clock.nowMs() - (Date.parse((await findWatermark(store.read, { name: DEEP_WATERMARK })) ?? "") || 0);
  return ageMs < 0 || ageMs >= DEEP_INTERVAL_MS;
}

function instantAfter({ clock }: Context, delayMs: number): string {
  return new Date(clock.nowMs() + delayMs).toISOString();
}

async function mail(context: Context, { language }: Alerting, changes: AlertChanges): Promise<boolean> {
  const { config, log, clock } = context;
  const { begun, ended } = changes;
  try {
    await postMail(config, {
      ...writeAlert(changes, { language, url: context.publicUrl() }),
      id: `alert.${clock.nowMs()}`,
      to: config.alerts.mailTo,
    });
  } catch (error) {
    const { reason, smtpCode } = explainMailFailure(error);
    log.error({ reason, smtp_code: smtpCode }, "an alert could not be mailed; trying again in five minutes");
    return false;
  }
  log.info({ begun: begun.length, ended: ended.length }, "an alert was mailed");
  return true;
}

/** Written after the mail is sent: if the process is killed in between, it is sent again, because a second copy is better than none. */
async function remember(context: Context, { begun, ended }: AlertChanges, isSound: boolean): Promise<void> {
  await context.store.write(async (trx) => {
    if (isSound) await upsertWatermark(trx, { name: DEEP_WATERMARK, through: instantAfter(context, 0) });
    for (const { id } of ended) await deleteAlert(trx, { id });
    const alerts = begun.map(({ id, finding: { check, mode, message } }) => {
      const texts = { message_en: message.en, message_el: message.el };
      return { id, check_name: check, mode, ...texts, began_at: trx.now };
    });
    await trx.insertRows({ alerts });
    await upsertWatermark(trx, { name: ALERT_WATERMARK, through: instantAfter(context, INTERVAL_MS) });
  });
}

const TEXTS = {
  begun: { en: "These problems need attention:", el: "Τα παρακάτω προβλήματα χρειάζονται ενέργεια:" },
  ended: { en: "These problems have ended:", el: "Τα παρακάτω προβλήματα έληξαν:" },
  next: { en: "What to do", el: "Τι να κάνετε" },
  since: { en: "since", el: "από" },
  all: {
    en: "The checks of the installation show everything that they find now.",
    el: "Οι έλεγχοι της εγκατάστασης δείχνουν όλα όσα βρίσκουν τώρα.",
  },
  server: { en: "Server", el: "Διακομιστής" },
} as const satisfies Record<string, Text>;

function writeAlert(
  { begun, ended }: AlertChanges,
  { language, url }: { language: Language; url: string },
): Letter {
  const say = (text: Text) => text[language];
  const lines = [
    ...section(
      say(TEXTS.begun),
      begun.map(({ finding: { mode, message, next_step: next, subjects } }) => [
        `- ${inMode(mode)}${say(message)}`,
        ...(subjects.length === 0 ? [] : [`  ${subjects.join(", ")}`]),
        ...(next === null ? [] : [`  ${say(TEXTS.next)}: ${say(next)}`]),
      ]),
    ),
    ...section(
      say(TEXTS.ended),
      ended.map((row) => [
        `- ${inMode(row.mode)}${say({ en: row.message_en, el: row.message_el })} (${say(TEXTS.since)} ${say(instantText(row.began_at))})`,
      ]),
    ),
    say(TEXTS.all),
    `${say(TEXTS.server)}: ${url}`,
  ];
  return {
    subject: `fiscal: ${say(subjectOf(begun.length, ended.length))}`,
    text: `${lines.join("\n")}\n`,
    html: `<!doctype html><html lang="${language}"><body>${htmlOf(lines, language)}</body></html>`,
  };
}

function inMode(mode: Mode | null): string {
  return mode === null ? "" : `[${mode}] `;
}

/** A heading and the items below it, each followed by an empty line; nothing without items. */
function section(heading: string, items: readonly string[][]): string[] {
  return items.length === 0 ? [] : [heading, "", ...items.flatMap((lines) => [...lines, ""])];
}

function subjectOf(begun: number, ended: number): Text {
  const parts: Text[] = [];
  if (begun > 0)
    parts.push({
      en: begun === 1 ? "1 new problem" : `${begun} new problems`,
      el: begun === 1 ? "1 νέο πρόβλημα" : `${begun} νέα προβλήματα`,
    });
  if (ended > 0)
    parts.push({
      en: ended === 1 ? "1 problem ended" : `${ended} problems ended`,
      el: ended === 1 ? "1 πρόβλημα έληξε" : `${ended} προβλήματα έληξαν`,
    });
  return { en: parts.map(({ en }) => en).join(", "), el: parts.map(({ el }) => el).join(", ") };
}

type AlertChanges = ReturnType<typeof compareAlerts>;

function compareAlerts(findings: readonly Finding[], reported: readonly AlertRow[]) {
  const urgent = findings.filter(({ severity }) => severity === "problem");
  const problems = new Map(urgent.map((finding) => [identify(finding), finding]));
  const known = new Set(reported.map(({ id }) => id));
  return {
    /** The problems that were not reported yet, by the id under which they are remembered. */
    begun: [...problems].filter(([id]) => !known.has(id)).map(([id, finding]) => ({ id, finding })),
    ended: reported.filter(({ id }) => !problems.has(id)),
  };
}

/**
 * The same for as long as a problem lasts: its message without numbers and plurals, because `1 mail waits` and later `2 mails
 * wait` are one problem, and what it is about. Documents are counted in the message, and change.
 */
function identify({ check, mode, message, subjects }: Finding): string {
  const kind = message.en.replaceAll(/\d+(?: or more)?/g, "").replaceAll(/s\b/g, "");
  const about = subjects.filter((subject) => !subject.startsWith("doc_"));
  return hash("sha256", JSON.stringify([check, mode, kind, about])).slice(0, 32);
}
