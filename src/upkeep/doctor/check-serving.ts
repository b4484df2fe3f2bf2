/** Which servers work on the database. */
import { findServers } from "../disk/disk-serving.ts";
import { type Finding, findingsOf, type Patient } from "./doctor-finding.ts";

const { ok } = findingsOf("server");

/** Neither is wrong by itself: what is due and not worked on shows under `queue`. */
export function checkServing({ config }: Patient): Finding[] {
  const { database } = config.storage;
  const servers = findServers(database);
  if (servers.length === 0) return [ok("No server works on the database at the moment.")];
  return servers.map((note) =>
    note === null
      ? ok("A server works on the database.")
      : ok(`A server works on the database: process ${note.pid}, since ${note.since}.`),
  );
}
