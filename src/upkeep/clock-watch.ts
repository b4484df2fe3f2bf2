/** Notices that the clock was set back, and makes due everything that waits (docs/contract.md#clock-jumps). */
import { findLatestClock, restartClock } from "../../storage/clock-seen.ts";
import type { IssuingQueue } from "../issuing/issuing-queue.ts";
import { advanceMails } from "../../storage/mails.ts";
import type { Context } from "../journal/context.ts";
import { isHeld } from "../journal/held.ts";
import { LONGEST_MAIL_PAUSE_MS } from "../mail/mail-schedule.ts";
import { rescheduleAfterClockJump } from "../webhooks/reschedule-deliveries.ts";
import type { WebhookQueue } from "../webhooks/webhook-queue.ts";

/** Smaller corrections put nothing off for long. */
const SET_BACK_MS = 10_000;

export interface ClockWatch {
  /** Makes everything due if the clock is behind its latest time: of this watch, or of any process that wrote to the database. */
  check(): Promise<void>;
  /** Makes due what waits longer than the settings allow. */
  correct(): Promise<void>;
}

export function createClockWatch(
  context: Context,
  issuing: IssuingQueue,
  webhooks: WebhookQueue | undefined,
): ClockWatch {
  const { clock, log, store } = context;
  let lastMs = clock.nowMs();

  async function reschedule(wasSetBack: boolean): Promise<void> {
    await issuing.rescheduleAfterClockJump(wasSetBack);
    await rescheduleAfterClockJump(context, wasSetBack);
    await store.write((trx) => {
      const after = new Date(trx.clockMs + (wasSetBack ? 0 : LONGEST_MAIL_PAUSE_MS)).toISOString();
      return advanceMails(trx, { after, due: new Date(trx.clockMs).toISOString() });
    });
    issuing.poke();
    webhooks?.poke();
  }

  return {
    async check() {
      const storedMs = Date.parse((await findLatestClock(store.read)) || clock.now());
      const backMs = Math.max(lastMs, storedMs) - clock.nowMs();
      lastMs = clock.nowMs();
      if (backMs < SET_BACK_MS || (await isHeld(store.read))) return;
      const seconds = Math.round(backMs / 1000);
      log.warn({ seconds }, "the clock was set back; documents and deliveries that wait are due now");
      await reschedule(true);
      // Last, so that an interrupted correction is repeated.
      await store.write(restartClock);
    },
    correct: () => reschedule(false),
  };
}
