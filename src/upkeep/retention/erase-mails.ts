/** Erases the addresses to which documents about a tax number were mailed (docs/contract.md#erasure). */
import { eraseMailAddress, findMailsIn } from "../../../storage/documents/mails.ts";
import { addressOf } from "../../mail/mail-object.ts";
import { change, eachPortion, type ErasureRun, reportProgress } from "./erasure-run.ts";

/** Mails of its documents, and those to an address that contains it. What still waits is not sent. */
export async function eraseMails(run: ErasureRun): Promise<void> {
  const { store } = run.context;
  await eachPortion(
    (portion) => findMailsIn(store.read, portion),
    async (rows) => {
      const found = rows.filter(
        (row) =>
          row.sealed !== null &&
          (run.documents.has(row.document_id) || run.searched.isIn(addressOf(store.cipher, row) ?? "")),
      );
      if (found.length > 0)
        await change(run, async (trx) => {
          for (const { id } of found) await eraseMailAddress(trx, id);
        });
      run.erasure.mails += found.length;
      reportProgress(run, rows.length);
    },
  );
}
