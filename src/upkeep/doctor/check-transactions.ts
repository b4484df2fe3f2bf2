/** Checks that no other program keeps new rows out of the lists (docs/postgres.md#several-servers). */
import type { ServerInspection } from "../../../storage/postgres/inspect-postgres.ts";
import { type Finding, findingsOf } from "./doctor-finding.ts";

const { notice } = findingsOf("transactions");

export async function checkTransactions(inspection: ServerInspection): Promise<Finding[]> {
  const found = await inspection.findLongTransactions();
  return found.map(({ pid, program, seconds }) =>
    notice(
      {
        en: `A transaction of ${program} in the database has been open for ${seconds} seconds; until it ends, lists show no new documents and events.`,
        el: `Μια συναλλαγή του ${program} στη βάση είναι ανοιχτή εδώ και ${seconds} δευτερόλεπτα· μέχρι να τελειώσει, οι λίστες δεν δείχνουν νέα παραστατικά και συμβάντα.`,
      },
      {
        next:
          pid === null
            ? {
                en: `end it there with: rollback prepared '${program.replaceAll("'", "''")}', or commit prepared`,
                el: `τερματίστε την εκεί με: rollback prepared '${program.replaceAll("'", "''")}', ή commit prepared`,
              }
            : {
                en: `end it in that program, or with: select pg_terminate_backend(${pid})`,
                el: `τερματίστε την σε εκείνο το πρόγραμμα, ή με: select pg_terminate_backend(${pid})`,
              },
      },
    ),
  );
}
