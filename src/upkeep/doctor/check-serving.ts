/** Lists the servers of this machine that use the database. */
import { findServers } from "../disk/disk-serving.ts";
import { type Finding, findingsOf, type CheckInput } from "./doctor-finding.ts";

const { ok } = findingsOf("server");

/** Never a problem: the check `queue` reports due work that no server does. */
export function checkServing({ config }: CheckInput): Finding[] {
  const servers = findServers(config.storage.database);
  if (servers.length === 0)
    return [
      ok({
        en: "No server on this machine is using the database at the moment.",
        el: "Κανένας διακομιστής σε αυτό το μηχάνημα δεν χρησιμοποιεί τώρα τη βάση.",
      }),
    ];
  return servers.map((note) =>
    note === null
      ? ok({ en: "A server is using the database.", el: "Ένας διακομιστής χρησιμοποιεί τη βάση." })
      : ok({
          en: `A server is using the database: process ${note.pid}, since ${note.since}.`,
          el: `Ένας διακομιστής χρησιμοποιεί τη βάση: διεργασία ${note.pid}, από ${note.since}.`,
        }),
  );
}
