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
import { getAppliance, restartClock } from "../../storage/upkeep/appliance-state.ts";
import { restartSafetyWaits } from "../issuing/rescue.ts";
import { isHeld } from "../journal/held.ts";
import { rescheduleWork, restartSafetyPauses } from "../work/clock-jump.ts";

export type Scheduler = Awaited<ReturnType<typeof startScheduler>>;

export interface SchedulerOptions {
  webhooks?: WebhookQueue | undefined;
  backUp?: BackUp | undefined;
  alerting?: Alerting | undefined;
}

interface Job {
  name: string;
  pattern: string;
  /** `stopping` is aborted when the scheduler stops: a job that takes long then begins nothing more. */
  run(stopping: AbortSignal): Promise<unknown>;
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

/**
 * A process without `webhooks` is a command, which ends as soon as its documents are issued: it delivers, fetches and mails nothing. One
 * without `backUp` makes no backups, and one without `alerting` sends no alerts.
 */
export async function startScheduler(
  context: Context,
  issuing: IssuingQueue,
  { webhooks, backUp, alerting }: SchedulerOptions,
) {
  const { clock, config, log } = context;
  const clockWatch = createClockWatch(context, issuing, webhooks);
  await clockWatch.check();
  await clockWatch.correct();
  const startedMs = clock.nowMs();
  const { leaseSeconds } = config.issuing;
  const jobs: Job[] = [
    { name: "check for a clock jump", pattern: EVERY_SECOND, run: () => clockWatch.check() },
    { name: "reschedule what is due too late", pattern: HOURLY, run: () => clockWatch.correct() },
    { name: "wake the issuing queue", pattern: EVERY_SECOND, run: async () => issuing.poke() },
    {
      name: "rescue documents of ended workers",
      pattern: leaseSeconds < 10 ? EVERY_SECOND : EVERY_FIVE_SECONDS,
      async run() {
        const rescued = await issuing.rescue();
        if (rescued === 0) return;
        log.warn({ rescued }, "rescued documents whose worker had ended");
        issuing.poke();
      },
    },
    {
      name: "renew leases",
      pattern: leaseSeconds < 30 ? EVERY_SECOND : EVERY_TEN_SECONDS,
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
      run: async () => (await import("./retention/retention.ts")).runRetentionDaily(context),
    },
  ];
  if (webhooks !== undefined)
    jobs.push(
      { name: "wake the delivery queue", pattern: EVERY_SECOND, run: async () => webhooks.poke() },
      {
        name: "hold deliveries of disabled endpoints",
        pattern: EVERY_FIVE_SECONDS,
        run: () => holdRemaining(context),
      },
      {
        name: "fetch PDFs from providers",
        pattern: EVERY_SECOND,
        run: async (stopping) => (await import("../paper/document-pdf.ts")).fetchDuePdfs(context, stopping),
      },
      {
        name: "look up the VAT numbers of EU customers",
        pattern: EVERY_TEN_SECONDS,
        run: async (stopping) =>
          (await import("../tax-ids/check-vies.ts")).checkDueNumbers(context, stopping),
      },
    );
  if (webhooks !== undefined && config.mail.host !== "")
    jobs.push({
      name: "send mails",
      pattern: EVERY_SECOND,
      run: async (stopping) => (await import("../mail/send-mail.ts")).sendDueMails(context, stopping),
    });
  if (backUp !== undefined && config.backup.schedule !== "")
    // More often than any schedule needs, so that a backup missed while no server ran is made soon.
    jobs.push({
      name: "make the scheduled backup",
      pattern: EVERY_FIVE_SECONDS,
      run: async () => (await import("./backup/backup-schedule.ts")).backUpWhenDue(context, backUp),
    });
  if (alerting !== undefined && config.alerts.mailTo !== "")
    jobs.push({
      name: "mail alerts",
      pattern: EVERY_MINUTE,
      async run() {
        // Right after the start, what waited for the server is still waiting.
        if (clock.nowMs() - startedMs < SETTLING_MS) return;
        await (await import("./alerts.ts")).alertWhenDue(context, alerting);
      },
    });
  const stopping = new AbortController();
  const running = new Map<Job, Promise<unknown>>();
  const start = (job: Job) => {
    if (running.has(job)) return;
    const run = job.run(stopping.signal).catch((error: unknown) => {
      if (isReportedAlready(error)) return;
      log.error({ job: job.name, error: String(error) }, "a scheduled job failed; it runs again when due");
    });
    running.set(
      job,
      run.finally(() => running.delete(job)),
    );
  };
  // One for all jobs of a pattern: each keeps a list of ten thousand years.
  const crons = [...Map.groupBy(jobs, ({ pattern }) => pattern)].map(
    ([pattern, due]) => new Cron(pattern, () => due.forEach(start)),
  );
  return {
    /** Starts no more jobs, and waits for the running ones. */
    async stop(): Promise<void> {
      for (const cron of crons) cron.stop();
      stopping.abort();
      await Promise.all(running.values());
    },
  };
}

/** Smaller corrections make no wait much longer or shorter. */
const JUMP_MS = 10_000;

function createClockWatch(context: Context, issuing: IssuingQueue, webhooks: WebhookQueue | undefined) {
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
    const storedMs = Date.parse((await getAppliance(store.read)).clock_at || clock.now());
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

  return {
    /**
     * Begins pauses again if the clock is behind its latest time: of this watch, or of any process that wrote to the database.
     * Starts waits again if the clock is ahead of the time that has passed since the last call.
     */
    check(): Promise<void> {
      checking ??= checkForJumpAhead()
        .then(checkForSetBack)
        .finally(() => (checking = undefined));
      return checking;
    },
    /** Shortens what waits longer than the settings allow. */
    correct: () => reschedule(false),
  };
}
