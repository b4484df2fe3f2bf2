/**
 * Time inside the process. Pokes after a commit do the work at once; these jobs are the safety net, and notice what falls
 * due: waits that end, leases that run out. croner neither waits for a job at stop() nor survives one that throws, so both
 * are seen to here.
 */
import { Cron } from "croner";
import type { BackUp } from "./backup/backup-schedule.ts";
import type { Context } from "../journal/context.ts";
import { isReportedAlready } from "../journal/disk/disk-space.ts";
import type { IssuingQueue } from "../issuing/issuing-queue.ts";
import type { WebhookQueue } from "../webhooks/webhook-queue.ts";

export interface Scheduler {
  /** Stops the clock and waits for the job that runs. */
  stop(): Promise<void>;
}

interface Job {
  name: string;
  pattern: string;
  run(): Promise<void>;
}

const EVERY_SECOND = "* * * * * *";
const EVERY_FIVE_SECONDS = "*/5 * * * * *";
const EVERY_TEN_SECONDS = "*/10 * * * * *";
/** Off the hour: whatever else a machine does by the clock is done by then. */
const HOURLY = "0 17 * * * *";

function webhookJobs(context: Context, webhooks: WebhookQueue): Job[] {
  return [
    { name: "wake the delivery queue", pattern: EVERY_SECOND, run: async () => webhooks.poke() },
    {
      name: "take back dead deliveries",
      pattern: EVERY_FIVE_SECONDS,
      run: async () => {
        const rescued = await webhooks.rescue();
        if (rescued === 0) return;
        context.log.warn({ rescued }, "took back deliveries whose process had ended");
        webhooks.poke();
      },
    },
    {
      name: "make due the deliveries that a wrong clock put off",
      pattern: HOURLY,
      run: async () => {
        await webhooks.putRight();
        webhooks.poke();
      },
    },
  ];
}

/** Looked at more often than any schedule asks for: what fell due while nothing ran is made up for. */
function backupJobs(context: Context, backUp: BackUp): Job[] {
  const run = async () => {
    const { backUpWhenDue } = await import("./backup/backup-schedule.ts");
    await backUpWhenDue(context, backUp);
  };
  return context.config.backup.schedule === ""
    ? []
    : [{ name: "back up when it is due", pattern: EVERY_FIVE_SECONDS, run }];
}

/** Without `webhooks` this process delivers none, without `backUp` it makes no backups. */
export function startScheduler(
  context: Context,
  issuing: IssuingQueue,
  { webhooks, backUp }: { webhooks?: WebhookQueue | undefined; backUp?: BackUp | undefined },
): Scheduler {
  const jobs: Job[] = [
    ...(webhooks === undefined ? [] : webhookJobs(context, webhooks)),
    ...(backUp === undefined ? [] : backupJobs(context, backUp)),
    { name: "wake the issuing queue", pattern: EVERY_SECOND, run: async () => issuing.poke() },
    {
      name: "take back dead claims",
      pattern: context.config.issuing.leaseSeconds < 10 ? EVERY_SECOND : EVERY_FIVE_SECONDS,
      run: async () => {
        const rescued = await issuing.rescue();
        if (rescued === 0) return;
        context.log.warn({ rescued }, "took back documents whose worker had ended");
        issuing.poke();
      },
    },
    {
      name: "make due the documents that a wrong clock put off",
      pattern: HOURLY,
      run: async () => {
        await issuing.rescheduleAfterClockJump();
        issuing.poke();
      },
    },
    {
      name: "keep leases",
      pattern: context.config.issuing.leaseSeconds < 30 ? EVERY_SECOND : EVERY_TEN_SECONDS,
      run: () => issuing.renew(),
    },
    {
      name: "look for documents that are registered twice",
      pattern: EVERY_TEN_SECONDS,
      run: async () => {
        const { cancelSurplusMarks } = await import("../issuing/surplus-marks.ts");
        await cancelSurplusMarks(context);
      },
    },
    {
      name: "forget what has had its time",
      pattern: HOURLY,
      async run() {
        const { runRetentionDaily } = await import("./retention/nightly.ts");
        await runRetentionDaily(context);
      },
    },
  ];
  const running = new Set<Promise<void>>();
  const crons = jobs.map(
    (job) =>
      new Cron(job.pattern, { protect: true }, async () => {
        const run = job.run().catch((error: unknown) => {
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
      await Promise.all(running);
    },
  };
}
