/** `fiscal numbering`: the counters, and an audit of every number that was allocated. */
import type { AuditReport } from "../../src/numbering/audit-numbers.ts";
import * as operations from "../../src/operations/counters.ts";
import { noun } from "../define.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { printNote, printProblem } from "../io.ts";
import { printJson } from "../ui/json.ts";
import { printTable } from "../ui/table.ts";
import type { Given } from "../flags.ts";
import { verbOf } from "../verb.ts";

export const defineNumbering = noun(
  {
    show: verbOf(operations.listCounters),
    set: verbOf(operations.setCounter),
    audit: verbOf(operations.auditNumbers, {
      queryOf: (_argument, { options }) => (options.live === true ? { mode: "live" } : {}),
      print: printAudit,
    }),
  },
  "fiscal numbering show",
  "fiscal numbering audit",
);

async function printAudit(report: AuditReport, { context }: Given): Promise<ExitCode> {
  const { io, options } = context;
  const { describeBackwards, describeHole } = await import("../../src/numbering/audit-numbers.ts");
  if (options.json === true) await printJson(io, report);
  else if (report.counters.length > 0) await printTable(io, operations.AUDIT_COLUMNS, report.counters);
  for (const dated of report.backwards) await printProblem(io, describeBackwards(dated));
  for (const hole of report.holes) await printProblem(io, describeHole(hole));
  if (report.holes.length > 0) return EXIT.failure;
  await printNote(io, { en: "Every number is accounted for.", el: "Κάθε αριθμός εξηγείται." });
  return EXIT.done;
}
