/** Gives all due work the same columns (work.ts), logged requests their common bodies, and the appliance the number of the last change of what is remembered (transactions.ts). */
import { type Kysely, sql } from "kysely";

export const STATEMENTS = [
  "alter table deliveries rename column next_at to due_at",
  "update deliveries set due_at = lease_until where lease_until is not null",
  "drop index deliveries_leased",
  "alter table deliveries drop column lease_until",
  "alter table mails add column lease_owner text",
  "create index mails_tried on mails (tried_at) where tried_at is not null",
  "alter table provider_pdfs add column lease_owner text",
  "alter table filing_checks rename column looks to tries",
  "alter table filing_checks add column lease_owner text",
  "alter table surplus_marks add column lease_owner text",
  "alter table appliance add column epoch integer not null default 0",
  "alter table requests add column body_id text",
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
