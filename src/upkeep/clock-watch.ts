/**
 * Notices jumps of the clock (docs/contract.md#clock-jumps). After one back, pauses begin again, so that nothing waits for the
 * time of the clock that ran ahead. After one ahead, the waits that protect against registering a document twice start again.
 */
import { findLatestClock, restartClock } from "../../storage/database/clock-seen.ts";
import { restartSafetyWaits } from "../issuing/clock-jump.ts";
import type { IssuingQueue } from "../issuing/issuing-queue.ts";
import type { Context } from "../journal/context.ts";
import { isHeld } from "../journal/held.ts";
import type { WebhookQueue } from "../webhooks/webhook-queue.ts";
import { rescheduleWork, restartSafetyPauses } from "../work/clock-jump.ts";

/** Smaller corrections make no wait much longer or shorter. */
const JUMP_MS = 10_000;

export interface ClockWatch {
  /**
   * Begins pauses again if the clock is behind its latest time: of this watch, or of any process that wrote to the database.
   * Starts waits again if the clock is ahead of the time that has passed since the last call.
   */
  check(): Promise<void>;
  /** Shortens what waits longer than the settings allow. */
  correct(): Promise<void>;
}

export function createClockWatch(
  context: Context,
  issuing: IssuingQueue,
  webhooks: WebhookQueue | undefined,
): ClockWatch {
  const { clock, log, store } = context;
  let lastMs = clock.nowMs();
  let aheadOfElapsedMs = lastMs - clock.elapsedMs();
  let mustRestartWaits = false;
  let checking: Promise<void> | undefined;

  async function reschedule(wasSetBack: boolean): Promise<void> {
    await issuing.rescheduleAfterClockJump(wasSetBack);
    await rescheduleWork(context, wasSetBack, webhooks?.alive());
    issuing.poke();
    webhooks?.poke();
  }

  async function checkForJumpAhead(): Promise<void> {
    const jumpMs = clock.nowMs() - clock.elapsedMs() - aheadOfElapsedMs;
    aheadOfElapsedMs += jumpMs;
    if (jumpMs >= JUMP_MS) {
      const seconds = Math.round(jumpMs / 1000);
      log.info({ seconds }, "the clock was set ahead, or the computer slept; safety waits start again");
      mustRestartWaits = true;
    }
    if (!mustRestartWaits || (await isHeld(store.read))) return;
    await restartSafetyWaits(context);
    await restartSafetyPauses(context);
    mustRestartWaits = false;
  }

  async function checkForSetBack(): Promise<void> {
    const storedMs = Date.parse((await findLatestClock(store.read)) || clock.now());
    const backMs = Math.max(lastMs, storedMs) - clock.nowMs();
    lastMs = clock.nowMs();
    if (backMs < JUMP_MS || (await isHeld(store.read))) return;
    const seconds = Math.round(backMs / 1000);
    log.warn(
      { seconds },
      "the clock was set back; documents and deliveries wait no longer than their schedules say",
    );
    await reschedule(true);
    // Last, so that an interrupted correction is repeated.
    await store.write(restartClock);
  }

  async function checkBoth(): Promise<void> {
    await checkForJumpAhead();
    await checkForSetBack();
  }

  return {
    check() {
      checking ??= checkBoth().finally(() => (checking = undefined));
      return checking;
    },
    correct: () => reschedule(false),
  };
}
