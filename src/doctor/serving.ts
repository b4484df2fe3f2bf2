/** Whether a server works on the database. */
import { findServingNote, isServing } from "../disk/serving.ts";
import { type Finding, findingsOf, type Patient } from "./finding.ts";

const { ok } = findingsOf("server");

/** Neither is wrong by itself: what is due and not worked on shows under `queue`. */
export function checkServing({ config }: Patient): Finding[] {
  const { database } = config.storage;
  if (!isServing(database)) return [ok("No server works on the database at the moment.")];
  const note = findServingNote(database);
  if (note === undefined) return [ok("A server works on the database.")];
  return [ok(`A server works on the database: process ${note.pid}, since ${note.since}.`)];
}
