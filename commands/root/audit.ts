/** `fiscal audit`: verifies that the journal is unaltered and that documents and numbers agree with it. */
import type { Audit } from "../../src/upkeep/audit/audit-journal.ts";
import type { AuditProblem, NotedLink } from "../../src/upkeep/audit/audit-finding.ts";
import type { Text } from "../../src/foundation/text.ts";
import { type CommandContext, requireDatabase } from "../context.ts";
import { EXIT, UsageError } from "../exit.ts";
import { inLanguage, printNote, write } from "../io.ts";
import { printable } from "../../src/foundation/characters.ts";
import { withProgress } from "../ui/progress.ts";
import { verb } from "../define.ts";

const NOTES: Text = {
  en: `Every event is a link of a chain that only the master key can extend. A row that somebody else changed, moved,
removed or inserted breaks the chain, and is named. Lawful removals (retention, erasure) leave a note in the chain. Each
document is then compared with its events, and the numbers are counted. The audit only reads, and may run while a server is
running. It needs the master key.
Keep a copy of the printed end of the journal somewhere else. With --against, a later audit also notices that an older copy
of the whole database was put back.
Exit: 0 when everything is intact, 1 when something is not, 78 without the right master key.`,
  el: `Κάθε συμβάν είναι κρίκος μιας αλυσίδας που μόνο με το κύριο κλειδί μπορεί να συνεχιστεί. Γραμμή που κάποιος άλλος
άλλαξε, μετακίνησε, αφαίρεσε ή πρόσθεσε σπάει την αλυσίδα, και κατονομάζεται. Ό,τι αφαίρεσαν νόμιμα η διατήρηση και η
διαγραφή άφησε σημείωση στην αλυσίδα. Έπειτα κάθε παραστατικό συγκρίνεται με τα συμβάντα του, και μετρώνται οι αριθμοί. Ο
έλεγχος μόνο διαβάζει, και μπορεί να γίνει ενώ εκτελείται ένας διακομιστής. Χρειάζεται το κύριο κλειδί.
Κρατήστε κάπου αλλού το τέλος του ημερολογίου που τυπώνεται: με το --against, ένας επόμενος έλεγχος διαπιστώνει και αν
κάποιος έβαλε στη θέση της βάσης ένα παλιότερο αντίγραφό της.
Κωδικός εξόδου: 0 όταν όλα είναι άθικτα, 1 όταν κάτι δεν είναι, 78 χωρίς το σωστό κύριο κλειδί.`,
};

export const defineAudit = verb({
  flags: {
    "--against <id:hash>": {
      en: "a link of the journal that this command printed before",
      el: "κρίκος του ημερολογίου που είχε σημειωθεί, όπως τον τυπώνει αυτή η εντολή",
      read: () => readLink,
    },
  },
  notes: NOTES,
  examples: ["fiscal audit", "fiscal audit --json"],
  fields: "object intact events forgotten redacted head documents problems problems_found".split(" "),
  async run(context, { against }) {
    const { auditDatabase } = await import("../../src/upkeep/audit/audit-journal.ts");
    const config = await context.configuration();
    await requireDatabase(config);
    const report = await withProgress(context.io, { en: "verifying", el: "έλεγχος" }, ({ update }) =>
      auditDatabase(config, { against, onProgress: update }),
    );
    return {
      object: inEnglish(report),
      shown: () => show(context, report),
      exitCode: report.intact ? EXIT.done : EXIT.failure,
    };
  },
});

const LINK_FORM = /^(evt_[0-9A-Za-z]{22}):([0-9a-f]{64})$/i;

function readLink(text: string): NotedLink {
  const [, id, hash] = LINK_FORM.exec(text.trim()) ?? [];
  if (id === undefined || hash === undefined)
    throw new UsageError({
      en: "--against must be a link as `fiscal audit` prints it: evt_… : 64 hexadecimal digits",
      el: "το --against θέλει έναν κρίκο όπως τον τυπώνει η `fiscal audit`: evt_… : 64 δεκαεξαδικά ψηφία",
    });
  return { id, hash: hash.toLowerCase() };
}

/** The `--json` output, always in English. */
export interface PrintedAudit extends Omit<Audit, "problems"> {
  problems: (Omit<AuditProblem, "message"> & { message: string })[];
}

function inEnglish(report: Audit): PrintedAudit {
  const problems = report.problems.map((problem) => ({ ...problem, message: problem.message.en }));
  return { ...report, problems };
}

async function show({ io }: CommandContext, report: Audit): Promise<void> {
  for (const { message } of report.problems)
    await write(io.stdout, `${printable(inLanguage(io, message))}\n`);
  const hidden = report.problems_found - report.problems.length;
  if (hidden > 0)
    await printNote(io, {
      en: `${hidden} more problems are not shown.`,
      el: `Δεν εμφανίζονται άλλα ${hidden} προβλήματα.`,
    });
  const { head } = report;
  if (head !== null) await write(io.stdout, `${head.id}:${head.hash}\n`);
  await printNote(io, summarise(report));
}

function summarise({ events, forgotten, redacted, documents, intact, problems_found: found }: Audit): Text {
  const en = `Verified: events ${events} (redacted ${redacted}, deleted ${forgotten}), documents ${documents}.`;
  const el = `Ελέγχθηκαν: συμβάντα ${events} (με απαλοιφή ${redacted}, διαγραμμένα ${forgotten}), παραστατικά ${documents}.`;
  if (!intact)
    return { en: `${en} Problems found: ${found}.`, el: `${el} Προβλήματα που βρέθηκαν: ${found}.` };
  return {
    en: `${en} Everything is intact. The line on stdout is the end of the journal.`,
    el: `${el} Όλα είναι όπως γράφτηκαν. Η γραμμή στο stdout είναι το τέλος του ημερολογίου.`,
  };
}
