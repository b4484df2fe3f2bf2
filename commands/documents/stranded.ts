/** What is said of documents that were waited for and cannot go on: their account is refused. */
import type { Stranded } from "../../src/issuing/drain.ts";
import { type ProgramIo, tellTrouble } from "../io.ts";

/** One line for each connection, naming the next step. */
export async function tellStranded(
  io: ProgramIo,
  stranded: readonly Stranded[],
  live: boolean,
): Promise<void> {
  for (const { connectionId, documents } of stranded) {
    const verify = `fiscal ${live ? "--live " : ""}connections verify ${connectionId}`;
    await tellTrouble(
      io,
      `Pending documents that wait for a connection, because its provider refuses the account or it is disconnected: ${documents}. They go on once it is accepted again: ${verify}, or connect the merchant anew`,
    );
  }
}
