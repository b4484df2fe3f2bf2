/** Checks that a failover of the database server loses nothing (docs/postgres.md#failover). */
import type { ServerInspection } from "../../../storage/postgres/inspect-postgres.ts";
import { type Finding, findingsOf } from "./doctor-finding.ts";

const { notice } = findingsOf("replication");

const NEXT = {
  en: "set synchronous_standby_names on the database server",
  el: "ορίστε το synchronous_standby_names στον διακομιστή της βάσης",
};

/** Says nothing about a server without standbys. */
export async function checkReplication(inspection: ServerInspection): Promise<Finding[]> {
  const standbys = await inspection.countLaggingStandbys();
  if (standbys === 0) return [];
  const message = {
    en: `No standby of the database server is synchronous (${standbys} asynchronous): a failover may lose acknowledged documents.`,
    el: `Κανένας εφεδρικός διακομιστής της βάσης δεν είναι σύγχρονος (${standbys} ασύγχρονοι): μια μετάπτωση μπορεί να χάσει παραστατικά.`,
  };
  return [notice(message, { next: NEXT })];
}
