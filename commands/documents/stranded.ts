/** Reports documents that cannot be sent for now because their connection is refused or disconnected. */
import type { Stranded } from "../../src/issuing/drain.ts";
import { type ProgramIo, printProblem } from "../io.ts";

/** One line for each connection, with the next step. */
export async function printStranded(
  io: ProgramIo,
  stranded: readonly Stranded[],
  isLive: boolean,
): Promise<void> {
  for (const { connectionId, documents } of stranded) {
    const verify = `fiscal ${isLive ? "--live " : ""}connections verify ${connectionId}`;
    await printProblem(io, {
      en: `Pending documents that wait because the provider refuses the connection or it is disconnected: ${documents}. To send them: ${verify}, or connect the merchant again.`,
      el: `Παραστατικά σε εκκρεμότητα, επειδή ο πάροχος αρνείται τη σύνδεση ή έχει αποσυνδεθεί: ${documents}. Για να σταλούν: ${verify}, ή συνδέστε ξανά την επιχείρηση.`,
    });
  }
}
