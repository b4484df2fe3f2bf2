/** `fiscal numbering`: the counters, and the account of every number that was given (decisions 6). */
import type { Command } from "commander";
import type { AuditReport } from "../../src/numbering/audit-numbers.ts";
import type { CounterObject } from "../../src/numbering/counters.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { tell, tellTrouble } from "../io.ts";
import { chooseMerchant } from "../merchants/choose-merchant.ts";
import { merchantIdOf, merchantNamed } from "../merchants/find-merchant.ts";
import { choice, integer, withExample } from "../options.ts";
import { printJson } from "../ui/json.ts";
import { askFor } from "../ui/prompt.ts";
import { type Column, printFields, printTable } from "../ui/table.ts";

interface SetOptions {
  merchant?: string;
  type?: string;
  series?: string;
  next?: number;
}

/** decisions 5.1: the largest number of a document. */
const NUMBER_MAX = 999_999_999_999;

export function defineNumbering(noun: Command, context: CommandContext): void {
  withExample(noun, "fiscal numbering show", "fiscal numbering audit");
  withExample(
    noun
      .command("show")
      .description("the counters in use and the next number of each")
      .option("--merchant <merchant>", "of this merchant's tax number only: id or external id")
      .action((options: { merchant?: string }) => context.end(runShow(context, options.merchant))),
    "fiscal numbering show --merchant shop",
  );
  withExample(
    noun
      .command("set")
      .description("carry on from a number, for example of another program; it only goes up")
      .option("--merchant <merchant>", "id or external id")
      .option("--type <type>", "document type, for example 1.1")
      .option("--series <series>", "the series (default: that of the type)")
      .option("--next <number>", "the number that the next document gets", integer("--next", 1, NUMBER_MAX))
      .action((options: SetOptions) => context.end(runSet(context, options))),
    "fiscal --live numbering set --merchant shop --type 1.1 --next 1043",
  );
  withExample(
    noun
      .command("audit")
      .description(
        "explain every number of both modes, or of live mode with --live; exit 1 when one is missing",
      )
      .action(() => context.end(runAudit(context))),
    "fiscal numbering audit --json",
  );
}

const COUNTER_COLUMNS: readonly Column<CounterObject>[] = [
  { head: "supplier", value: (counter) => counter.supplier },
  { head: "branch", align: "right", value: (counter) => String(counter.branch) },
  { head: "type", value: (counter) => counter.type },
  { head: "series", value: (counter) => counter.series },
  { head: "next number", align: "right", value: (counter) => String(counter.next_number) },
  { head: "released", value: (counter) => counter.released.join(", ") || "-" },
];

async function runShow(context: CommandContext, merchant: string | undefined): Promise<void> {
  const { io } = context;
  const { listCounters } = await import("../../src/numbering/counters.ts");
  const counters = await context.withAppliance(async (appliance, mode) =>
    listCounters(appliance, { mode, merchantId: await merchantIdOf(appliance, merchant) }),
  );
  if (context.options.json === true)
    return printJson(io.stdout, { object: "list", data: counters, has_more: false });
  if (counters.length === 0) return tell(io, "No counters yet: the first document of a series makes one.");
  await printTable(io, COUNTER_COLUMNS, counters);
}

async function runSet(context: CommandContext, options: SetOptions): Promise<void> {
  const { io } = context;
  const merchant = await chooseMerchant(context, options.merchant);
  const typeText = await askFor(io, options.type, { flag: "--type", message: "Document type" });
  const nextText = await askFor(io, options.next?.toString(), { flag: "--next", message: "Next number" });
  const { DOCUMENT_TYPES } = await import("../../src/domain/canonical-document.ts");
  const type = choice("--type", DOCUMENT_TYPES)(typeText);
  const nextNumber = integer("--next", 1, NUMBER_MAX)(nextText);
  const { setCounter } = await import("../../src/numbering/counters.ts");
  const counter = await context.withAppliance(async (appliance, mode) => {
    const { id } = await merchantNamed(appliance, merchant);
    return setCounter(appliance, { mode, merchantId: id, type, series: options.series, nextNumber });
  });
  if (context.options.json === true) return printJson(io.stdout, counter);
  await printFields(io, [
    ["supplier", counter.supplier],
    ["branch", counter.branch],
    ["type", counter.type],
    ["mode", counter.mode],
    ["series", counter.series],
    ["next number", counter.next_number],
  ]);
}

interface AuditLine {
  series: string;
  supplier: string;
  type: string;
  mode: string;
  issued: number;
  reserved: number;
  unused: number;
}

const AUDIT_COLUMNS: readonly Column<AuditLine>[] = [
  { head: "supplier", value: (line) => line.supplier },
  { head: "mode", value: (line) => line.mode },
  { head: "type", value: (line) => line.type },
  { head: "series", value: (line) => line.series },
  { head: "issued", align: "right", value: (line) => String(line.issued) },
  { head: "reserved", align: "right", value: (line) => String(line.reserved) },
  { head: "released, abandoned, passed", align: "right", value: (line) => String(line.unused) },
];

async function runAudit(context: CommandContext): Promise<ExitCode> {
  const { io } = context;
  const { auditNumbering, describeHole } = await import("../../src/numbering/audit-numbers.ts");
  const filters = context.options.live === true ? { mode: "live" as const } : {};
  const report = await context.withAppliance((appliance) => auditNumbering(appliance, filters));
  if (context.options.json === true) await printJson(io.stdout, report);
  else if (report.counters.length > 0) await printTable(io, AUDIT_COLUMNS, report.counters.map(summarise));
  for (const hole of report.holes) await tellTrouble(io, describeHole(hole).en);
  if (report.holes.length === 0) await tell(io, "Every number is accounted for.");
  return report.holes.length === 0 ? EXIT.done : EXIT.failure;
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
