/** Claims documents for sending, one send at a time for each counter. */
import { type Claim, type ClaimParameters, parametersOf } from "./claims.ts";
import type { Builder } from "../database/dialect.ts";
import type { DocumentRow } from "./documents.ts";
import { isNotExcluded } from "./due-times.ts";
import { sortById } from "../database/lists.ts";
import { statement } from "../database/statement.ts";
import type { Transaction } from "../database/write.ts";

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

function claimSendsStatement(form: SendsForm) {
  return statement<ClaimParameters>()((db, p) =>
    db
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
        eb
          .selectFrom(freeSends(db, p, form).select("due.id").as("candidate"))
          .select("candidate.id")
          .orderBy("candidate.id")
          .limit(p.limit),
      )
      .returningAll(),
  );
}

const SENDS = [false, true].flatMap((excludes) =>
  [false, true].map((readsAll) => ({
    excludes,
    readsAll,
    claim: claimSendsStatement({ excludes, readsAll }),
  })),
);

export interface SendClaim extends Claim {
  /** Whether a claim may choose among all rows, which reads the whole queue. */
  mayReadAll(): boolean;
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

function claimSends(
  trx: Transaction,
  claim: SendClaim,
  { excludes, readsAll }: SendsForm,
): Promise<DocumentRow[]> {
  const sends = SENDS.find((each) => each.excludes === excludes && each.readsAll === readsAll)!;
  return trx.all(sends.claim, parametersOf(claim));
}
