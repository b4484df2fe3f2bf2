/** Claims documents for sending, one send at a time for each counter, also among servers that claim at the same time. */
import { sql } from "kysely";
import { type Claim, type ClaimParameters, parametersOf } from "./claims.ts";
import { type Builder, textsIn } from "../database/dialect.ts";
import type { DocumentRow } from "./documents.ts";
import { isNotExcluded } from "./due-times.ts";
import { sortById } from "../database/lists.ts";
import { statement } from "../database/statement.ts";
import type { Transaction } from "../database/write.ts";

type CounterParameters = ClaimParameters & {
  /** Names of counters, as a JSON array. */
  counters: string;
};

/** How many due rows a claim chooses from, so that documents are sent in order of acceptance. */
const CANDIDATES_MAX = 512;

/** The columns of a due row by which a claim chooses. Those from `supplier` on identify its counter. */
const CHOSEN_BY = [
  "due.id",
  "due.next_at",
  "due.supplier",
  "due.branch",
  "due.type",
  "due.series",
  "due.mode",
] as const;

/** Identifies the counter of a due row. */
const COUNTER = sql<string>`due.supplier || ' ' || due.branch || ' ' || due.type || ' ' || due.mode || ' ' || due.series`;

interface SendsForm {
  excludes: boolean;
  /** Chooses among all rows, and not only those that are due first. */
  readsAll: boolean;
}

/** The rows to choose from, first the one that is due first. */
function freeSends(db: Builder, p: ClaimParameters, { excludes, readsAll }: SendsForm) {
  const due = db
    .selectFrom("documents as due")
    .select(CHOSEN_BY)
    .where("due.provider", "=", p.provider)
    .where("due.phase", "=", "queued")
    .where("due.next_at", "<=", p.due)
    .$if(excludes, (rows) => rows.where(isNotExcluded(p.excluded)))
    .orderBy("due.next_at")
    .orderBy("due.id");
  return (
    db
      .selectFrom((readsAll ? due : due.limit(CANDIDATES_MAX)).as("due"))
      // Only one send per counter is in flight. Without a series the provider numbers, and there is no counter.
      .where((where) =>
        where.or([
          where("due.series", "is", null),
          where.not(
            where.exists(
              where
                .selectFrom("documents as busy")
                .select("busy.id")
                .where("busy.phase", "=", "submitting")
                .whereRef("busy.supplier", "=", "due.supplier")
                .whereRef("busy.branch", "=", "due.branch")
                .whereRef("busy.type", "=", "due.type")
                .whereRef("busy.series", "=", "due.series")
                .whereRef("busy.mode", "=", "due.mode"),
            ),
          ),
        ]),
      )
      .orderBy("due.next_at")
      .orderBy("due.id")
      .limit(CANDIDATES_MAX)
  );
}

function claimSendsStatement(form: SendsForm, isBeside: boolean) {
  return statement<CounterParameters>()((db, p) => {
    const free = freeSends(db, p, form)
      .select("due.id")
      .$if(isBeside, (rows) =>
        rows.where((where) =>
          where.or([where("due.series", "is", null), where(COUNTER, "in", textsIn(p.counters))]),
        ),
      );
    return db
      .updateTable("documents")
      .set((eb) => ({
        phase: "submitting" as const,
        attempts: eb("attempts", "+", 1),
        lease_owner: p.owner,
        lease_until: p.leaseUntil,
        next_at: null,
        updated_at: p.now,
      }))
      .where("phase", "=", "queued")
      .where("id", "in", (eb) =>
        eb.selectFrom(free.as("candidate")).select("candidate.id").orderBy("candidate.id").limit(p.limit),
      )
      .returningAll();
  });
}

/** The counters of the rows that a claim would choose. */
function findCountersStatement(form: SendsForm) {
  return statement<ClaimParameters>()((db, p) =>
    db
      .selectFrom(freeSends(db, p, form).select(COUNTER.as("counter")).limit(p.limit).as("free"))
      .select("free.counter")
      .distinct()
      .where("free.counter", "is not", null),
  );
}

const FORMS = [false, true].flatMap((excludes) => [false, true].map((readsAll) => ({ excludes, readsAll })));
const SENDS = FORMS.map((form) => ({
  ...form,
  claim: claimSendsStatement(form, false),
  claimOf: claimSendsStatement(form, true),
  findCounters: findCountersStatement(form),
}));

function sendsOf({ excludes, readsAll }: SendsForm) {
  return SENDS.find((sends) => sends.excludes === excludes && sends.readsAll === readsAll)!;
}

export interface SendClaim extends Claim {
  /** Whether a claim may choose among all rows, which reads the whole queue. */
  mayReadAll(): boolean;
  /** Called if another server is claiming for some of the counters right now. */
  onContention(): void;
}

/**
 * Claims queued documents that are due, in order of acceptance, and moves them to `submitting`. Claims none of a counter while
 * another claim is sending for it. Chooses among the rows that are due first, or if these all wait for their counters and
 * `mayReadAll` returns true, among all.
 */
export async function claimForSending(trx: Transaction, claim: SendClaim): Promise<DocumentRow[]> {
  const excludes = claim.excluded.length > 0;
  const rows = await claimSends(trx, claim, { excludes, readsAll: false });
  if (rows.length > 0 || !claim.mayReadAll()) return sortById(rows);
  return sortById(await claimSends(trx, claim, { excludes, readsAll: true }));
}

async function claimSends(trx: Transaction, claim: SendClaim, form: SendsForm): Promise<DocumentRow[]> {
  const parameters = parametersOf(claim);
  const sends = sendsOf(form);
  if (trx.isAlone) return trx.all(sends.claim, { ...parameters, counters: "[]" });
  const counters = (await trx.all(sends.findCounters, parameters)).map(({ counter }) => counter);
  const taken = await trx.take(counters);
  if (taken.length < counters.length) claim.onContention();
  // A new statement: it sees what the last one that had taken a counter has committed.
  return trx.all(sends.claimOf, { ...parameters, counters: JSON.stringify(taken) });
}
