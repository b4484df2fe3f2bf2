/** Mails the problems that `doctor` finds when they begin and when they end (docs/contract.md#alerts). */
import { deleteAlert, findAlerts, insertAlert } from "../../../storage/upkeep/alerts.ts";
import type { Session } from "../../../storage/database/session.ts";
import { findWatermark, upsertWatermark } from "../../../storage/database/watermarks.ts";
import type { Text } from "../../foundation/text.ts";
import type { Context } from "../../journal/context.ts";
import { isHeld } from "../../journal/held.ts";
import { explainMailFailure } from "../../mail/mail-failure.ts";
import type { Finding } from "../doctor/doctor-finding.ts";
import { type AlertChanges, compareAlerts } from "./alert-changes.ts";
import { writeAlert } from "./alert-letter.ts";

/** How `doctor` is run, and the language of the mails. */
export interface Alerting {
  diagnose(signal: AbortSignal): Promise<Finding[]>;
  language: keyof Text;
}

/** `doctor` reads every page of the database. */
const INTERVAL_MS = 3_600_000;
/** After a mail or a diagnosis that failed. */
const RETRY_MS = 300_000;
/** Tolerated difference between the clocks of servers on one database. */
const AHEAD_MS = 60_000;
/** Names the watermark with the instant at which the next check is due. */
const ALERT_WATERMARK = "alerts";

/** Checks if a check is due. Only one of several servers on a database does. A held appliance sends nothing. */
export async function alertWhenDue(context: Context, alerting: Alerting): Promise<void> {
  const { store, clock } = context;
  const isDue = async (session: Session) => {
    const dueMs = Date.parse((await findWatermark(session, ALERT_WATERMARK)) ?? "") || 0;
    // A clock that ran ahead must not put the check off.
    return dueMs <= clock.nowMs() || dueMs > clock.nowMs() + INTERVAL_MS + AHEAD_MS;
  };
  if (!(await isDue(store.read)) || (await isHeld(store.read))) return;
  const isMine = await store.write(async (trx) => {
    if (!(await isDue(trx))) return false;
    // If this process ends while it checks, the next check comes soon.
    await upsertWatermark(trx, ALERT_WATERMARK, instantAfter(context, RETRY_MS));
    return true;
  });
  if (!isMine) return;
  const changes = compareAlerts(await alerting.diagnose(context.cut), await findAlerts(store.read));
  const isNews = changes.begun.length + changes.ended.length > 0;
  if (isNews && !(await mail(context, alerting, changes))) return;
  await remember(context, changes);
}

function instantAfter({ clock }: Context, delayMs: number): string {
  return new Date(clock.nowMs() + delayMs).toISOString();
}

/** Returns false if the mail was not sent. */
async function mail(context: Context, { language }: Alerting, changes: AlertChanges): Promise<boolean> {
  const { config, log, clock } = context;
  const { begun, ended } = changes;
  const { postMail } = await import("../../mail/post.ts");
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
async function remember(context: Context, { begun, ended }: AlertChanges): Promise<void> {
  await context.store.write(async (trx) => {
    for (const { id } of ended) await deleteAlert(trx, id);
    for (const { id, finding } of begun)
      await insertAlert(trx, {
        id,
        check_name: finding.check,
        mode: finding.mode,
        message_en: finding.message.en,
        message_el: finding.message.el,
        began_at: trx.now,
      });
    await upsertWatermark(trx, ALERT_WATERMARK, instantAfter(context, INTERVAL_MS));
  });
}
