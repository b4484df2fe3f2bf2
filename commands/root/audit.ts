/** `fiscal audit`: whether the journal is as it was written, link by link, and what depends on it agrees with it. */
import type { Command } from "commander";
import type { Audit } from "../../src/upkeep/audit/audit-journal.ts";
import type { NotedLink } from "../../src/upkeep/audit/audit-finding.ts";
import { ConfigurationError } from "../../src/foundation/errors.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode, UsageError } from "../exit.ts";
import { tell, write } from "../io.ts";
import { withExample } from "../options.ts";
import { printable } from "../ui/printable.ts";
import { printJson } from "../ui/json.ts";
import { startProgress } from "../ui/progress.ts";

interface AuditOptions {
  against?: NotedLink;
}

const NOTES = `
Every event is a link of a hash chain: a row that was changed, moved, removed or put in breaks it, and is named. What
retention and erasure took out lawfully has left a note in the chain. Then each document is held against its newest event, and
the numbers are counted. Reads only, beside a running server too, and needs no master key.
Write the printed end of the journal down elsewhere: with --against it proves later that nothing before it was changed, not
even by someone who could write a whole new chain.
Exit: 0 when everything holds, 1 when something does not.`;

export function defineAudit(command: Command, context: CommandContext): void {
  withExample(
    command
      .option(
        "--against <id:hash>",
        "a link of the journal that was written down before, as this prints it",
        readLink,
      )
      .addHelpText("after", NOTES)
      .action((options: AuditOptions) => context.end(runAudit(context, options))),
    "fiscal audit",
    "fiscal audit --json",
  );
}

const LINK_FORM = /^(evt_[0-9A-Za-z]{22}):([0-9a-f]{64})$/i;

function readLink(text: string): NotedLink {
  const [, id, hash] = LINK_FORM.exec(text.trim()) ?? [];
  if (id === undefined || hash === undefined)
    throw new UsageError(
      "--against must be a link as `fiscal audit` prints it: evt_… : 64 hexadecimal digits",
    );
  return { id, hash: hash.toLowerCase() };
}

async function runAudit(context: CommandContext, options: AuditOptions): Promise<ExitCode> {
  const { io } = context;
  const report = await inspect(context, options);
  if (context.options.json === true) await printJson(io.stdout, report);
  else await present(context, report);
  return report.intact ? EXIT.done : EXIT.failure;
}

async function inspect(context: CommandContext, { against }: AuditOptions): Promise<Audit> {
  const { audit } = await import("../../src/upkeep/audit/audit-journal.ts");
  const { inspectDatabase } = await import("../../storage/inspection.ts");
  const { SCHEMA_VERSION } = await import("../../storage/open.ts");
  const { database } = (await context.configuration()).storage;
  const inspection = inspectDatabase(database);
  const progress = await startProgress(context.io, "verifying");
  try {
    if (inspection.version() !== SCHEMA_VERSION)
      throw new ConfigurationError(
        `The database ${database} has the schema ${inspection.version()}, not ${SCHEMA_VERSION}: ` +
          (inspection.version() > SCHEMA_VERSION
            ? "install the version that wrote it"
            : "`fiscal init` brings it up"),
      );
    return await audit(inspection.session, { against, onProgress: progress.update });
  } finally {
    progress.stop();
    inspection.close();
  }
}

async function present({ io }: CommandContext, report: Audit): Promise<void> {
  for (const { message } of report.problems) await write(io.stdout, `${printable(message)}\n`);
  const unshown = report.problems_found - report.problems.length;
  if (unshown > 0) await tell(io, `${unshown} more problems are not shown.`);
  const { events, forgotten, redacted, documents, head } = report;
  const counts =
    `Verified: ${events} ${events === 1 ? "event" : "events"} (${redacted} redacted, ${forgotten} forgotten), ` +
    `${documents} ${documents === 1 ? "document" : "documents"}`;
  if (head !== null) await write(io.stdout, `${head.id}:${head.hash}\n`);
  if (report.intact)
    await tell(io, `${counts}. All is as it was written. The line on stdout is the end of the journal.`);
  else
    await tell(
      io,
      `${counts}. ${report.problems_found} ${report.problems_found === 1 ? "does" : "do"} not hold.`,
    );
}
