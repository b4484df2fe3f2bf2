/** `fiscal audit`: whether the journal is as it was written, link by link, and what depends on it agrees with it. */
import type { Command } from "commander";
import type { Audit } from "../../src/upkeep/audit/audit-journal.ts";
import type { NotedLink } from "../../src/upkeep/audit/audit-finding.ts";
import type { Text } from "../../src/foundation/text.ts";
import { ConfigurationError } from "../../src/foundation/errors.ts";
import { UnreleasedSchemaError } from "../../storage/errors.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode, UsageError } from "../exit.ts";
import { tell, write } from "../io.ts";
import { addNotes, withExample } from "../options.ts";
import { printable } from "../ui/printable.ts";
import { printJson } from "../ui/json.ts";
import { startProgress } from "../ui/progress.ts";

interface AuditOptions {
  against?: NotedLink;
}

const NOTES: Text = {
  en: `Every event is a link of a hash chain. A row that was changed, moved, removed or inserted breaks the chain, and is
named. Lawful removals (retention, erasure) leave a note in the chain. Each document is then compared with its newest
event, and the numbers are counted. The audit only reads; it runs beside a server and needs no master key.
Keep a copy of the printed end of the journal somewhere else. With --against it later proves that nothing before it was
changed, not even by someone able to rewrite the whole chain.
Exit: 0 when everything is intact, 1 when something is not.`,
  el: `Κάθε συμβάν είναι κρίκος αλυσίδας κατακερματισμών (hash): γραμμή που άλλαξε, μετακινήθηκε, αφαιρέθηκε ή προστέθηκε
τη σπάει, και κατονομάζεται. Ό,τι αφαίρεσαν νόμιμα η διατήρηση και η διαγραφή άφησε σημείωση στην αλυσίδα. Έπειτα κάθε
παραστατικό συγκρίνεται με το νεότερο συμβάν του, και οι αριθμοί μετρώνται. Ο έλεγχος μόνο διαβάζει, και δίπλα σε
διακομιστή που τρέχει, χωρίς κύριο κλειδί.
Κρατήστε αλλού το τέλος του ημερολογίου που τυπώνεται: με --against αποδεικνύει αργότερα ότι τίποτα πριν από αυτό δεν
άλλαξε, ούτε από κάποιον που θα μπορούσε να γράψει ολόκληρη νέα αλυσίδα.
Κωδικός εξόδου: 0 όταν όλα είναι άθικτα, 1 όταν κάτι δεν είναι.`,
};

export function defineAudit(command: Command, context: CommandContext): void {
  addNotes(command, context, NOTES);
  withExample(
    command
      .option(
        "--against <id:hash>",
        "a link of the journal that was written down before, as this prints it",
        readLink,
      )
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
  const { SCHEMA_VERSION } = await import("../../storage/schema-version.ts");
  const { database } = (await context.configuration()).storage;
  const inspection = inspectDatabase(database);
  const progress = await startProgress(context.io, "verifying");
  try {
    if (inspection.isUnreleased()) throw new UnreleasedSchemaError(database);
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
