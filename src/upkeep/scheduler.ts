/**
 * Runs jobs at fixed times. Work is usually triggered right after a commit; these jobs are the safety net, and handle what
 * becomes due later: waits that end, leases that expire. croner's stop() does not wait for a running job, and a job that throws
 * ends the process, so both are handled here.
 *
 * One job notices jumps of the clock (docs/contract.md#clock-jumps). After one back, pauses begin again, so that nothing waits for the
 * time of the clock that ran ahead. After one ahead, the waits that protect against registering a document twice start again.
 */
import { Cron } from "croner";
import type { Alerting } from "./alerts.ts";
import type { BackUp } from "./backup/backup-schedule.ts";
import type { Context } from "../journal/context.ts";
import { isReportedAlready } from "../journal/disk/disk-space.ts";
import type { IssuingQueue } from "../issuing/issuing-queue.ts";
import { holdRemaining } from "../webhooks/endpoints.ts";
import type { WebhookQueue } from "../webhooks/webhook-queue.ts";
import { findLatestClock, restartClock } from "../../storage/upkeep/appliance-state.ts";
import { restartSafetyWaits } from "../issuing/rescue.ts";
import { isHeld } from "../journal/held.ts";
import { rescheduleWork, restartSafetyPauses } from "../work/clock-jump.ts";

export interface Scheduler {
  /** Starts no more jobs, and waits for the running ones. */
  stop(): Promise<void>;
}

export interface SchedulerOptions {
  webhooks?: WebhookQueue | undefined;
  backUp?: BackUp | undefined;
  alerting?: Alerting | undefined;
}

interface Job {
  name: string;
  pattern: string;
  /** `stopping` is aborted when the scheduler stops: a job that takes long then begins nothing more. */
  run(stopping: AbortSignal): Promise<void>;
}

const EVERY_SECOND = "* * * * * *";
const EVERY_FIVE_SECONDS = "*/5 * * * * *";
const EVERY_TEN_SECONDS = "*/10 * * * * *";
/** In the middle of a minute, to avoid other cron jobs. */
const EVERY_MINUTE = "37 * * * * *";
/** Within this time after its start, a server has sent what waited for it. */
const SETTLING_MS = 300_000;
/** Off the hour, to avoid other cron jobs. */
const HOURLY = "0 17 * * * *";

/** Jobs of a server. A command ends as soon as its documents are issued. */
function serverJobs(context: Context, webhooks: WebhookQueue): Job[] {
  const jobs: Job[] = [
    { name: "wake the delivery queue", pattern: EVERY_SECOND, run: async () => webhooks.poke() },
    {
      name: "hold deliveries of disabled endpoints",
      pattern: EVERY_FIVE_SECONDS,
      run: () => holdRemaining(context),
    },
    {
      name: "fetch PDFs from providers",
      pattern: EVERY_SECOND,
      async run(stopping) {
        const { fetchDuePdfs } = await import("../paper/document-pdf.ts");
        await fetchDuePdfs(context, stopping);
      },
    },
    {
      name: "look up the VAT numbers of EU customers",
      pattern: EVERY_TEN_SECONDS,
      async run(stopping) {
        const { checkDueNumbers } = await import("../tax-ids/check-vies.ts");
        await checkDueNumbers(context, stopping);
      },
    },
  ];
  if (context.config.mail.host === "") return jobs;
  const mails: Job = {
    name: "send mails",
    pattern: EVERY_SECOND,
    async run(stopping) {
      const { sendDueMails } = await import("../mail/send-mail.ts");
      await sendDueMails(context, stopping);
    },
  };
  return [...jobs, mails];
}

/** Checks more often than any schedule needs, so that a backup missed while no server ran is made soon. */
function backupJobs(context: Context, backUp: BackUp): Job[] {
  const run = async () => {
    const { backUpWhenDue } = await import("./backup/backup-schedule.ts");
    await backUpWhenDue(context, backUp);
  };
  return context.config.backup.schedule === ""
    ? []
    : [{ name: "make the scheduled backup", pattern: EVERY_FIVE_SECONDS, run }];
}

/** Checks every minute whether a check is due, but not right after the start, when what waited for the server is still waiting. */
function alertJobs(context: Context, alerting: Alerting): Job[] {
  const startedMs = context.clock.nowMs();
  const run = async () => {
    if (context.clock.nowMs() - startedMs < SETTLING_MS) return;
    const { alertWhenDue } = await import("./alerts.ts");
    await alertWhenDue(context, alerting);
  };
  return context.config.alerts.mailTo === "" ? [] : [{ name: "mail alerts", pattern: EVERY_MINUTE, run }];
}

/** A process without `webhooks` delivers none, one without `backUp` makes no backups, and one without `alerting` sends no alerts. */
export async function startScheduler(
  context: Context,
  issuing: IssuingQueue,
  { webhooks, backUp, alerting }: SchedulerOptions,
): Promise<Scheduler> {
  const clockWatch = createClockWatch(context, issuing, webhooks);
  await clockWatch.check();
  await clockWatch.correct();
  const jobs: Job[] = [
    ...(webhooks === undefined ? [] : serverJobs(context, webhooks)),
    ...(backUp === undefined ? [] : backupJobs(context, backUp)),
    ...(alerting === undefined ? [] : alertJobs(context, alerting)),
    { name: "check for a clock jump", pattern: EVERY_SECOND, run: () => clockWatch.check() },
    { name: "reschedule what is due too late", pattern: HOURLY, run: () => clockWatch.correct() },
    { name: "wake the issuing queue", pattern: EVERY_SECOND, run: async () => issuing.poke() },
    {
      name: "rescue documents of ended workers",
      pattern: context.config.issuing.leaseSeconds < 10 ? EVERY_SECOND : EVERY_FIVE_SECONDS,
      run: async () => {
        const rescued = await issuing.rescue();
        if (rescued === 0) return;
        context.log.warn({ rescued }, "rescued documents whose worker had ended");
        issuing.poke();
      },
    },
    {
      name: "renew leases",
      pattern: context.config.issuing.leaseSeconds < 30 ? EVERY_SECOND : EVERY_TEN_SECONDS,
      run: () => issuing.renew(),
    },
    {
      name: "cancel surplus MARKs",
      pattern: EVERY_TEN_SECONDS,
      async run(stopping) {
        const { cancelSurplusMarks } = await import("../issuing/surplus-marks.ts");
        // A check that a jump of the clock made due is too early.
        await clockWatch.check();
        await cancelSurplusMarks(context, stopping);
      },
    },
    {
      name: "delete expired data",
      pattern: HOURLY,
      async run() {
        const { runRetentionDaily } = await import("./retention/retention.ts");
        await runRetentionDaily(context);
      },
    },
  ];
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const crons = jobs.map(
    (job) =>
      new Cron(job.pattern, { protect: true }, async () => {
        const run = job.run(stopping.signal).catch((error: unknown) => {
          if (isReportedAlready(error)) return;
          context.log.error(
            { job: job.name, error: String(error) },
            "a scheduled job failed; it runs again when due",
          );
        });
        running.add(run);
        await run;
        running.delete(run);
      }),
  );
  return {
    async stop() {
      for (const cron of crons) cron.stop();
      stopping.abort();
      await Promise.all(running);
    },
  };
}

/** Smaller corrections make no wait much longer or shorter. */
const JUMP_MS = 10_000;

interface ClockWatch {
  /**
   * Begins pauses again if the clock is behind its latest time: of this watch, or of any process that wrote to the database.
   * Starts waits again if the clock is ahead of the time that has passed since the last call.
   */
  check(): Promise<void>;
  /** Shortens what waits longer than the settings allow. */
  correct(): Promise<void>;
}

function createClockWatch(
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
