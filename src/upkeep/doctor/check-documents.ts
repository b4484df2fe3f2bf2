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
import type { Clock } from "../../foundation/clock.ts";
import { readJsonOrNull } from "../../foundation/json.ts";
import { describeHole, findHoles } from "../../numbering/audit-numbers.ts";
import type { StepName, Text } from "../../foundation/text.ts";
import {
  type Check,
  counted,
  documentsIn,
  type Found,
  problem,
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
  async *find(input) {
    for (const mode of MODES)
      for (const find of [findStuck, findFailed, findSurplus, findTaken, findWithoutPdf])
        yield* find(input, mode);
  },
  ok: {
    en: "No document has been pending for more than an hour.",
    el: "Κανένα παραστατικό δεν εκκρεμεί πάνω από μία ώρα.",
  },
};

type PendingDocument = RowOf<typeof findPendingDocuments>;
type Reason = "connection" | "aside" | "queued" | "submitting" | "awaiting_mark" | "reconciling";

/** Why pending documents have no outcome, and what to do about the first of them. */
const REASONS: Record<Reason, Text & { remedy: StepName }> = {
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

/** A problem of some documents, `Queued for more than an hour: 12 test documents.`; nothing if there are none. */
function* problemOf(
  what: Text,
  mode: Mode,
  subjects: readonly string[],
  next: Text | string,
): Generator<Found> {
  if (subjects.length === 0) return;
  const { en, el } = counted(subjects.length, documentsIn(mode), LOOKED_AT_MAX);
  yield problem({ en: `${what.en}: ${en}.`, el: `${what.el}: ${el}.` }, next, { mode, subjects });
}

type DocumentProblems = AsyncGenerator<Found>;

const idOf = ({ id }: { id: string }) => id;
const lastWeek = (clock: Clock) => new Date(clock.nowMs() - FAILED_DAYS * 24 * HOUR_MS).toISOString();

async function* findStuck({ clock, inspection, command }: TableCheckInput, mode: Mode): DocumentProblems {
  const before = new Date(clock.nowMs() - HOUR_MS).toISOString();
  const pending = await findPendingDocuments(inspection.session, { mode, before, limit: LOOKED_AT_MAX });
  for (const [reason, documents] of Map.groupBy(pending, (document) => reasonOf(document, before))) {
    if (reason === undefined) continue;
    const { remedy } = REASONS[reason];
    const { id, connection_id: connection } = documents[0]!;
    const next = command(mode, remedy, remedy === "verifyConnection" ? (connection ?? "") : id);
    yield* problemOf(REASONS[reason], mode, documents.map(idOf), next);
  }
}

async function* findFailed({ clock, inspection, command }: TableCheckInput, mode: Mode): DocumentProblems {
  const about = { mode, since: lastWeek(clock), limit: LOOKED_AT_MAX };
  const subjects = (await findFailedDocuments(inspection.session, about))
    .filter(({ error_json: error }) => readJsonOrNull<ErrorObject>(error)?.retryable === true)
    .map(idOf);
  const what = {
    en: "Not delivered, and can be sent again",
    el: "Δεν παραδόθηκαν και μπορούν να σταλούν ξανά",
  };
  const retry = command(mode, "retryDocument", subjects[0]);
  const next = { en: `${retry}, or documents abandon`, el: `${retry}, ή documents abandon` };
  yield* problemOf(what, mode, subjects, next);
}

async function* findSurplus({ inspection }: TableCheckInput, mode: Mode): DocumentProblems {
  const rows = await findMarksForPerson(inspection.session, { mode, limit: LOOKED_AT_MAX });
  for (const [state, marks] of Map.groupBy(rows, (row) => row.state)) {
    const { mark, own_mark: ownMark } = marks[0]!;
    const subjects = marks.map(({ document_id }) => document_id);
    yield* problemOf(MARK_PROBLEMS[state], mode, subjects, describeRemedy(state, mark, ownMark));
  }
}

async function* findWithoutPdf({ inspection, command }: TableCheckInput, mode: Mode): DocumentProblems {
  const subjects = await findPdfsGivenUp(inspection.session, { mode, limit: LOOKED_AT_MAX });
  const what = {
    en: "The provider's PDF could not be fetched, and is no longer tried",
    el: "Το PDF του παρόχου δεν μπόρεσε να ληφθεί και δεν γίνεται άλλη προσπάθεια",
  };
  for (const found of problemOf(what, mode, subjects, command(mode, "getDocumentPdf", subjects[0])))
    yield { ...found, severity: "notice" };
}

/** Finds numbers that another program used in the same series in the last week. */
async function* findTaken({ clock, inspection }: TableCheckInput, mode: Mode): DocumentProblems {
  const about = { mode, since: lastWeek(clock), reason: `${HELD_BY_ANOTHER}%`, limit: LOOKED_AT_MAX };
  const taken = await findPassedNumbers(inspection.session, about);
  const [first] = taken;
  if (first === undefined) return;
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
  yield* problemOf(what, mode, subjects, next);
}

/** Whether a server processes the queue, which takes due documents within seconds. */
export const queueCheck: Check<TableCheckInput> = {
  name: "queue",
  async *find({ clock, inspection: { session }, command }) {
    const due = new Date(clock.nowMs() - IDLE_MS).toISOString();
    const what = {
      en: "Due, but no server is processing them",
      el: "Έπρεπε να έχουν σταλεί και κανένας διακομιστής δεν τα επεξεργάζεται",
    };
    for (const mode of MODES) {
      const idle = await findOverdueDocuments(session, { mode, due, limit: LOOKED_AT_MAX });
      // Documents of one counter are sent one after the other: behind a long queue they may wait for long.
      if (idle.length > 0 && !(await hasActiveLease(session, { mode, now: clock.now() })))
        yield* problemOf(what, mode, idle, command(null, "serve"));
    }
  },
  ok: {
    en: "No due document is waiting for a server.",
    el: "Κανένα παραστατικό που έπρεπε να σταλεί δεν περιμένει διακομιστή.",
  },
};

export const numberingCheck: Check<TableCheckInput> = {
  name: "numbering",
  async *find({ inspection, command }) {
    for await (const hole of findHoles(inspection.session))
      yield problem(describeHole(hole), command(null, "auditNumbers"), { mode: hole.mode });
  },
  ok: { en: "Every number is accounted for.", el: "Κάθε αριθμός έχει εξήγηση." },
};
