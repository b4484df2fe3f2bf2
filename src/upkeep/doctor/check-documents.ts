/** Finds documents that are stuck or take too long, and numbers that nothing explains. */
import {
  findPassedNumbers,
  findFailedDocuments,
  findOverdueDocuments,
  hasActiveLease,
  findPendingDocuments,
} from "../../../storage/upkeep/diagnosis.ts";
import type { RowOf } from "../../../storage/database/queries.ts";
import { findPdfsGivenUp } from "../../../storage/documents/document-substance.ts";
import { findMarksForPerson } from "../../../storage/documents/surplus-marks.ts";
import { MODES, type Mode } from "../../../storage/stored-values.ts";
import { describeRemedy, MARK_PROBLEMS } from "../../domain/several-marks.ts";
import { HELD_BY_ANOTHER } from "../../numbering/allocate.ts";
import type { ErrorObject } from "../../foundation/errors.ts";
import { readJsonOrNull } from "../../foundation/json.ts";
import { describeHole, findHoles } from "../../numbering/audit-numbers.ts";
import type { Text } from "../../foundation/text.ts";
import {
  type Check,
  counted,
  documentsIn,
  type Found,
  problem,
  type Remedy,
  type TableCheckInput,
} from "./doctor-finding.ts";

const HOUR_MS = 3_600_000;
/** Failures that hold no number are reported for a week. */
const FAILED_DAYS = 7;
/** Limit for each kind and mode; beyond it the exact count does not matter. */
const LOOKED_AT_MAX = 1000;
/** A running server takes due documents within seconds. */
const IDLE_MS = 120_000;

export const documentsCheck: Check<TableCheckInput> = {
  name: "documents",
  async find(input) {
    const findings: Found[] = [];
    for (const mode of MODES)
      for (const find of [findStuck, findFailed, findSurplus, findTaken, findWithoutPdf])
        findings.push(...(await find(input, mode)));
    return findings;
  },
  ok: {
    en: "No document has been pending for more than an hour.",
    el: "Κανένα παραστατικό δεν εκκρεμεί πάνω από μία ώρα.",
  },
};

type PendingDocument = RowOf<typeof findPendingDocuments>;
type Reason = "connection" | "aside" | "queued" | "submitting" | "awaiting_mark" | "reconciling";

/** Why pending documents have no outcome, and what to do about the first of them. */
const REASONS: Record<Reason, Text & { remedy: Remedy }> = {
  connection: {
    en: "Waiting for a connection that the provider refuses",
    el: "Περιμένουν σύνδεση που αρνείται ο πάροχος",
    remedy: "verifyConnection",
  },
  aside: {
    en: "Set aside, because they cannot be processed as they are stored (see the server's log)",
    el: "Στην άκρη, γιατί όπως είναι αποθηκευμένα δεν προχωρούν (δείτε το αρχείο καταγραφής του διακομιστή)",
    remedy: "getDocument",
  },
  queued: {
    en: "Queued for more than an hour",
    el: "Στη σειρά πάνω από μία ώρα",
    remedy: "listCalls",
  },
  submitting: {
    en: "Being sent for more than an hour",
    el: "Στέλνονται πάνω από μία ώρα",
    remedy: "serve",
  },
  awaiting_mark: {
    en: "Without a MARK more than an hour after they were sent",
    el: "Χωρίς ΜΑΡΚ πάνω από μία ώρα αφότου στάλθηκαν",
    remedy: "listCalls",
  },
  reconciling: {
    en: "Sent more than an hour ago with an unknown outcome",
    el: "Στάλθηκαν πριν από πάνω από μία ώρα και η έκβαση είναι άγνωστη",
    remedy: "listCalls",
  },
};

function reasonOf(document: PendingDocument, before: string): Reason | undefined {
  const { phase, next_at, lease_until } = document;
  if (phase === "queued" && document.connection_status === "invalid") return "connection";
  if (next_at === null && lease_until === null) return "aside";
  // Counts from when it was last queued.
  const since = document.stage_since ?? document.updated_at;
  return since < before ? (phase as Reason) : undefined;
}

/** A problem of some documents: `Queued for more than an hour: 12 test documents.` */
function problemOf(what: Text, mode: Mode, subjects: readonly string[], next: Text | string): Found {
  const { en, el } = counted(subjects.length, documentsIn(mode), LOOKED_AT_MAX);
  return problem({ en: `${what.en}: ${en}.`, el: `${what.el}: ${el}.` }, next, { mode, subjects });
}

async function findStuck({ clock, inspection, command }: TableCheckInput, mode: Mode): Promise<Found[]> {
  const before = new Date(clock.nowMs() - HOUR_MS).toISOString();
  const pending = await findPendingDocuments(inspection.session, { mode, before, limit: LOOKED_AT_MAX });
  const groups = Map.groupBy(pending, (document) => reasonOf(document, before));
  return [...groups].flatMap(([reason, documents]) => {
    const [first] = documents;
    if (reason === undefined || first === undefined) return [];
    const { remedy } = REASONS[reason];
    const about = remedy === "verifyConnection" ? first.connection_id : first.id;
    const next = command(mode, remedy, about ?? "");
    return problemOf(
      REASONS[reason],
      mode,
      documents.map(({ id }) => id),
      next,
    );
  });
}

async function findFailed(input: TableCheckInput, mode: Mode): Promise<Found[]> {
  const { session } = input.inspection;
  const since = new Date(input.clock.nowMs() - FAILED_DAYS * 24 * HOUR_MS).toISOString();
  const failed = await findFailedDocuments(session, { mode, since, limit: LOOKED_AT_MAX });
  const isOpen = ({ error_json: error }: (typeof failed)[number]) =>
    readJsonOrNull<ErrorObject>(error)?.retryable === true;
  const subjects = failed.filter(isOpen).map(({ id }) => id);
  const [first] = subjects;
  if (first === undefined) return [];
  const what = {
    en: "Not delivered, and can be sent again",
    el: "Δεν παραδόθηκαν και μπορούν να σταλούν ξανά",
  };
  const retry = input.command(mode, "retryDocument", first);
  const next = { en: `${retry}, or documents abandon`, el: `${retry}, ή documents abandon` };
  return [problemOf(what, mode, subjects, next)];
}

async function findSurplus(input: TableCheckInput, mode: Mode): Promise<Found[]> {
  const rows = await findMarksForPerson(input.inspection.session, { mode, limit: LOOKED_AT_MAX });
  return [...Map.groupBy(rows, ({ state }) => state)].map(([state, marks]) => {
    const { mark, own_mark: ownMark } = marks[0]!;
    const subjects = marks.map(({ document_id }) => document_id);
    return problemOf(MARK_PROBLEMS[state], mode, subjects, describeRemedy(state, mark, ownMark));
  });
}

async function findWithoutPdf(input: TableCheckInput, mode: Mode): Promise<Found[]> {
  const subjects = await findPdfsGivenUp(input.inspection.session, { mode, limit: LOOKED_AT_MAX });
  const [first] = subjects;
  if (first === undefined) return [];
  const what = {
    en: "The provider's PDF could not be fetched, and is no longer tried",
    el: "Το PDF του παρόχου δεν μπόρεσε να ληφθεί και δεν γίνεται άλλη προσπάθεια",
  };
  const fetch = input.command(mode, "getDocumentPdf", first);
  return [{ ...problemOf(what, mode, subjects, fetch), severity: "notice" }];
}

/** Finds numbers that another program used in the same series in the last week. */
async function findTaken(input: TableCheckInput, mode: Mode): Promise<Found[]> {
  const since = new Date(input.clock.nowMs() - FAILED_DAYS * 24 * HOUR_MS).toISOString();
  const about = { mode, since, reason: `${HELD_BY_ANOTHER}%`, limit: LOOKED_AT_MAX };
  const taken = await findPassedNumbers(input.inspection.session, about);
  const [first] = taken;
  if (first === undefined) return [];
  const last = `${first.series} ${first.number} (${first.reason ?? ""})`;
  const what = {
    en: `Skipped a number in the last ${FAILED_DAYS} days, because the provider has another document there, the last ${last}`,
    el: `Παρέλειψαν αριθμό τις τελευταίες ${FAILED_DAYS} ημέρες, επειδή ο πάροχος έχει εκεί άλλο παραστατικό, τελευταίος ο ${last}`,
  };
  const next = {
    en: "find out which other program numbers in this series, and give one of them a series of its own",
    el: "βρείτε ποιο άλλο πρόγραμμα αριθμεί σε αυτή τη σειρά και δώστε σε ένα από τα δύο δική του σειρά",
    next: { operation: "updateMerchantSettings" },
  } as const;
  const subjects = [...new Set(taken.flatMap(({ document_id }) => document_id ?? []))];
  return [problemOf(what, mode, subjects, next)];
}

/** Whether a server processes the queue, which takes due documents within seconds. */
export const queueCheck: Check<TableCheckInput> = {
  name: "queue",
  async find(input) {
    const due = new Date(input.clock.nowMs() - IDLE_MS).toISOString();
    const { session } = input.inspection;
    const findings: Found[] = [];
    for (const mode of MODES) {
      const idle = await findOverdueDocuments(session, { mode, due, limit: LOOKED_AT_MAX });
      if (idle.length === 0) continue;
      // Documents of one counter are sent one after the other: behind a long queue they may wait for long.
      if (await hasActiveLease(session, { mode, now: input.clock.now() })) continue;
      const what = {
        en: "Due, but no server is processing them",
        el: "Έπρεπε να έχουν σταλεί και κανένας διακομιστής δεν τα επεξεργάζεται",
      };
      findings.push(problemOf(what, mode, idle, input.command(null, "serve")));
    }
    return findings;
  },
  ok: {
    en: "No due document is waiting for a server.",
    el: "Κανένα παραστατικό που έπρεπε να σταλεί δεν περιμένει διακομιστή.",
  },
};

export const numberingCheck: Check<TableCheckInput> = {
  name: "numbering",
  async find({ inspection, command }) {
    const findings: Found[] = [];
    for await (const hole of findHoles(inspection.session))
      findings.push(problem(describeHole(hole), command(null, "auditNumbers"), { mode: hole.mode }));
    return findings;
  },
  ok: { en: "Every number is accounted for.", el: "Κάθε αριθμός έχει εξήγηση." },
};
