/** Claims documents for sending and polling, and returns claimed documents to the queue. */
import { sql } from "kysely";
import { type Builder, textsIn } from "./dialect.ts";
import type { DocumentRow } from "./documents.ts";
import { isNotExcluded } from "./due-times.ts";
import { sortById } from "./lists.ts";
import type { Session } from "./session.ts";
import { statement } from "./statement.ts";
import type { DocumentPhase, Provider } from "./stored-values.ts";
import type { Transaction } from "./write.ts";

export interface Claim {
  provider: Provider;
  /** The most rows to claim. */
  limit: number;
  /** The clock's time: rows due by then are claimed. */
  due: string;
  /** The time to record. */
  now: string;
  /** The unique name of this claim. */
  owner: string;
  leaseUntil: string;
  /** Connections and modes whose documents are passed over. */
  excluded: readonly string[];
}

/** A claim with `excluded` as a JSON array. */
type ClaimParameters = Omit<Claim, "excluded"> & { excluded: string };
type CounterParameters = ClaimParameters & {
  /** Names of counters, as a JSON array. */
  counters: string;
};

const parametersOf = (claim: Claim): ClaimParameters => ({
  ...claim,
  excluded: JSON.stringify(claim.excluded),
});

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
      .selectFrom((inner) =>
        freeSends(inner as unknown as Builder, p, form)
          .select(COUNTER.as("counter"))
          .limit(p.limit)
          .as("free"),
      )
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
  const { provider, limit, due, now, owner, leaseUntil, excluded } = claim;
  const parameters = { provider, limit, due, now, owner, leaseUntil, excluded: JSON.stringify(excluded) };
  const sends = sendsOf(form);
  if (trx.isAlone) return trx.all(sends.claim, { ...parameters, counters: "[]" });
  const counters = (await trx.all(sends.findCounters, parameters)).map(({ counter }) => counter);
  const taken = await trx.take(counters);
  if (taken.length < counters.length) claim.onContention();
  // A new statement: it sees what the last one that had taken a counter has committed.
  return trx.all(sends.claimOf, { ...parameters, counters: JSON.stringify(taken) });
}

function claimQueriesStatement(excludes: boolean) {
  return statement<ClaimParameters & { phase: DocumentPhase }>()((db, p) =>
    db
      .updateTable("documents")
      .set({ lease_owner: p.owner, lease_until: p.leaseUntil, next_at: null })
      .where("phase", "=", p.phase)
      // Another server may have claimed a row since it was chosen.
      .where("next_at", "is not", null)
      .where("id", "in", (eb) =>
        eb
          .selectFrom("documents as due")
          .select("due.id")
          .where("due.provider", "=", p.provider)
          .where("due.phase", "=", p.phase)
          .where("due.next_at", "<=", p.due)
          .$if(excludes, (due) => due.where(isNotExcluded(p.excluded)))
          .orderBy("due.next_at")
          .limit(p.limit),
      )
      .returningAll(),
  );
}

const claimQueries = claimQueriesStatement(false);

const claimQueriesExcluding = claimQueriesStatement(true);

/** Claims documents whose provider is to be queried. Their phase stays the same. */
export async function claimForQuery(
  trx: Transaction,
  claim: Claim & { phase: "awaiting_mark" | "reconciling" },
): Promise<DocumentRow[]> {
  const claimRows = claim.excluded.length === 0 ? claimQueries : claimQueriesExcluding;
  return sortById(await trx.all(claimRows, { ...parametersOf(claim), phase: claim.phase }));
}

const selectExpired = statement<{ now: string; limit: number }>()((db, p) =>
  db
    .selectFrom("documents")
    .selectAll()
    .where("lease_until", "is not", null)
    .where("lease_until", "<", p.now)
    .orderBy("lease_until")
    .limit(p.limit),
);

/** Documents whose lease has run out. */
export function findExpiredClaims(session: Session, now: string, limit: number): Promise<DocumentRow[]> {
  return session.all(selectExpired, { now, limit });
}

const selectFarLease = statement<{ far: string }>()((db, p) =>
  db
    .selectFrom("documents")
    .select("id")
    .where("lease_until", "is not", null)
    .where("lease_until", ">", p.far)
    .limit(1),
);

/** Whether any lease ends after `far`. */
export async function hasLeaseAfter(session: Session, far: string): Promise<boolean> {
  return (await session.first(selectFarLease, { far })) !== undefined;
}

const shortenRows = statement<{ far: string; until: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ lease_until: p.until })
    .where("lease_until", "is not", null)
    .where("lease_until", ">", p.far),
);

/** Makes every lease that ends after `far` end at `until`. Its owner may be alive, and renews it then. */
export async function shortenLeases(trx: Transaction, by: { far: string; until: string }): Promise<void> {
  await trx.run(shortenRows, by);
}

const extendLeases = statement<{ owner: string; until: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ lease_until: p.until })
    .where("lease_until", "is not", null)
    .where("lease_owner", "=", p.owner),
);

/** Extends the leases of a claim whose worker is alive. */
export async function renewLeases(trx: Transaction, owner: string, until: string): Promise<void> {
  await trx.run(extendLeases, { owner, until });
}

const rerouteRow = statement<{ id: string; connectionId: string }>()((db, p) =>
  db.updateTable("documents").set({ connection_id: p.connectionId }).where("id", "=", p.id),
);

/** Moves one claimed document to another connection. */
export async function reroute(trx: Transaction, id: string, connectionId: string): Promise<void> {
  await trx.run(rerouteRow, { id, connectionId });
}

const putBackRow = statement<{ id: string; due: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ next_at: p.due, lease_owner: null, lease_until: null })
    .where("id", "=", p.id),
);

/** Returns a claimed document to the queue, due at `due`. A claimed send does not count as an attempt. */
export async function putBack(trx: Transaction, id: string, due: string): Promise<void> {
  await trx.run(parkRow, { id });
  await trx.run(putBackRow, { id, due });
}

const parkRow = statement<{ id: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set((eb) => ({
      phase: "queued" as const,
      attempts: eb("attempts", "-", 1),
      next_at: null,
      lease_owner: null,
      lease_until: null,
    }))
    .where("id", "=", p.id)
    .where("phase", "=", "submitting"),
);

/** Returns a claimed document to the queue until its connection is verified. It does not count as an attempt. */
export async function parkClaimed(trx: Transaction, id: string): Promise<void> {
  await trx.run(parkRow, { id });
}

const setAsideRow = statement<{ id: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ next_at: null, lease_owner: null, lease_until: null })
    .where("id", "=", p.id),
);

const unclaimRow = statement<{ id: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ phase: "queued" })
    .where("id", "=", p.id)
    .where("phase", "=", "submitting"),
);

/** Takes a claimed document that cannot be processed out of the queue, before anything was sent. */
export async function setAside(trx: Transaction, id: string): Promise<void> {
  await trx.run(unclaimRow, { id });
  await trx.run(setAsideRow, { id });
}
