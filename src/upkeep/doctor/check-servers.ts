/** Checks of the servers that use the database, and of PostgreSQL. */
import type { ServerInspection } from "../../../storage/postgres/inspect-postgres.ts";
import { findServers } from "../disk/disk-serving.ts";
import { type Check, type CheckInput, notice, ok } from "./doctor-finding.ts";

/** Never a problem: the check `queue` reports due work that no server does. */
export const serversCheck: Check<CheckInput> = {
  name: "server",
  find: ({ config }) =>
    findServers(config.storage.database).map((note) =>
      ok(
        note === null
          ? { en: "A server is using the database.", el: "Ένας διακομιστής χρησιμοποιεί τη βάση." }
          : {
              en: `A server is using the database: process ${note.pid}, since ${note.since}.`,
              el: `Ένας διακομιστής χρησιμοποιεί τη βάση: διεργασία ${note.pid}, από ${note.since}.`,
            },
      ),
    ),
  ok: {
    en: "No server on this machine is using the database at the moment.",
    el: "Κανένας διακομιστής σε αυτό το μηχάνημα δεν χρησιμοποιεί τώρα τη βάση.",
  },
};

/** Whether a failover of the database server loses nothing (docs/postgres.md#failover). Says nothing without standbys. */
export const replicationCheck: Check<ServerInspection> = {
  name: "replication",
  async find(inspection) {
    const standbys = await inspection.countLaggingStandbys();
    if (standbys === 0) return [];
    const message = {
      en: `No standby of the database server is synchronous (${standbys} asynchronous): a failover may lose acknowledged documents.`,
      el: `Κανένας εφεδρικός διακομιστής της βάσης δεν είναι σύγχρονος (${standbys} ασύγχρονοι): μια μετάπτωση μπορεί να χάσει παραστατικά.`,
    };
    const next = {
      en: "set synchronous_standby_names on the database server",
      el: "ορίστε το synchronous_standby_names στον διακομιστή της βάσης",
    };
    return [notice(message, next)];
  },
};
