import { describe, expect, test } from "vitest";
import { onEngines } from "../../helpers/engines.ts";
import { issue, listed, readReport } from "../../helpers/issuing.ts";
import { expectRefused } from "../../helpers/program.ts";
import { openShop, receipt } from "../../helpers/receipts.ts";
import { forEachTest } from "../../helpers/set-up.ts";

describe.each(await onEngines({ SQLite: {}, PostgreSQL: {} }))(
  "an interrupt of documents issue on $engine",
  ({ makeStorage }) => {
    const workshop = forEachTest(async () => openShop(await makeStorage()));

    const LINE = /accepting 256/;

    test("stops reading, reports what was accepted and how to continue; the next run completes it", async () => {
      const bodies = Array.from({ length: 300 }, (_, index) => receipt(`A-${index}`));
      let interrupted = false;
      const run = await issue(workshop, bodies.slice(0, 257), ["--report", "report.csv"], {
        terminal: true,
        onOutput(text, program) {
          if (interrupted || !LINE.test(text)) return;
          interrupted = true;
          program.interrupt();
        },
      });
      expectRefused(run, 130, "interrupted: 256 documents are accepted", "Run the same command again");
      expect(await readReport(workshop)).toHaveLength(257);
      const next = await issue(workshop, bodies);
      expect(next).toMatchObject({ exitCode: 0 });
      expect(next.stderr).toContain("44 accepted, 256 already accepted before: 300 issued.");
    });

    test("counts only what is still to be issued", async () => {
      const bodies = [receipt("A-1"), receipt("A-2", "pending"), receipt("A-3", "pending")];
      const run = await issue(workshop, bodies, [], {
        terminal: true,
        onOutput: (text, program) => {
          if (text.includes("1/3")) program.interrupt();
          else if (text.includes("accepting")) program.endInput();
        },
      });
      expect(run.stderr).toContain("3 accepted: 1 issued, 2 pending.\n");
      expect(run.stderr).toContain("interrupted: 2 documents are accepted and will be issued");
    });

    test("stops issuing and leaves the accepted documents for the next run", async () => {
      const bodies = [receipt("A-1", "pending")];
      const run = await issue(workshop, bodies, [], {
        terminal: true,
        onOutput: (text, program) => {
          // Ends the input, then interrupts while the sandbox keeps the document pending.
          if (text.includes("issuing")) program.interrupt();
          else if (text.includes("accepting")) program.endInput();
        },
      });
      expect(run.exitCode).toBe(130);
      expect(await listed(workshop)).toMatchObject([{ external_reference: "A-1", status: "pending" }]);
    });
  },
);

test("after a process that issued was killed, a run says once what it waits for", async () => {
  const workshop = await openShop();
  const bodies = [receipt("A-1"), receipt("A-2"), receipt("A-3")];
  expect(await issue(workshop, bodies, ["--no-wait"])).toMatchObject({ exitCode: 0 });
  workshop.change(`update documents set phase = 'submitting', number = 1, next_at = null, lease_owner = 'killed',
    lease_until = '${new Date(Date.now() + 60_000).toISOString()}' where external_reference = 'A-1'`);
  const { exitCode, stderr } = await issue(workshop, bodies, ["--timeout", "8"]);
  expect(exitCode, stderr).toBe(5);
  expect(stderr.match(/^Still waiting: .*1 submitting.*looked up after at most \d+ s/gm)).toHaveLength(1);
  await workshop.close();
}, 30_000);
