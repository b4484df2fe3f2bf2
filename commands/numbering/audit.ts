/** `fiscal numbering audit`: accounts for every number that was allocated. */
import {
  type AuditReport,
  auditNumbering,
  describeBackwards,
  describeHole,
} from "../../src/numbering/audit-numbers.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { printNote, printProblem } from "../io.ts";
import { printJson } from "../ui/json.ts";
import type { Column } from "../../src/operations/view.ts";
import { printTable } from "../ui/table.ts";
import { countText } from "../../src/operations/values.ts";
import { wordText } from "../../src/operations/words.ts";
import { verb } from "../define.ts";

export const defineAudit = verb({
  examples: ["fiscal numbering audit --json"],
  run: audit,
});

interface AuditLine {
  series: string;
  supplier: string;
  type: string;
  mode: string;
  issued: number;
  reserved: number;
  unused: number;
}

const COLUMNS: readonly Column<AuditLine>[] = [
  { head: { en: "supplier", el: "εκδότης" }, value: (line) => line.supplier },
  { head: { en: "mode", el: "λειτουργία" }, value: (line) => wordText(line.mode) },
  { head: { en: "type", el: "τύπος" }, value: (line) => line.type },
  { head: { en: "series", el: "σειρά" }, value: (line) => line.series },
  { head: { en: "issued", el: "εκδόθηκαν" }, align: "right", value: (line) => countText(line.issued) },
  { head: { en: "reserved", el: "δεσμευμένοι" }, align: "right", value: (line) => countText(line.reserved) },
  {
    head: {
      en: "released, abandoned, skipped",
      el: "αποδεσμευμένοι, εγκαταλειμμένοι, παρακαμφθέντες",
    },
    align: "right",
    value: (line) => countText(line.unused),
  },
];

async function audit(context: CommandContext): Promise<ExitCode> {
  const { io } = context;
  const filters = context.options.live === true ? { mode: "live" as const } : {};
  const report = await context.withAppliance((appliance) => auditNumbering(appliance, filters));
  if (context.options.json === true) await printJson(io, report);
  else if (report.counters.length > 0) await printTable(io, COLUMNS, report.counters.map(summarise));
  for (const dated of report.backwards) await printProblem(io, describeBackwards(dated));
  for (const hole of report.holes) await printProblem(io, describeHole(hole));
  if (report.holes.length > 0) return EXIT.failure;
  await printNote(io, { en: "Every number is accounted for.", el: "Κάθε αριθμός εξηγείται." });
  return EXIT.done;
}

function summarise(counter: AuditReport["counters"][number]): AuditLine {
  const { series, supplier, type, mode } = counter;
  const line = { series, supplier, type, mode, issued: 0, reserved: 0, unused: 0 };
  for (const { number, through, state } of counter.numbers) {
    const count = (through ?? number) - number + 1;
    if (state === "issued" || state === "reserved") line[state] += count;
    else line.unused += count;
  }
  return line;
}
