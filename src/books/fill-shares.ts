/** Fills in what documents of an earlier version add to the books, at the first start after the upgrade. */
import { findReadableInputs } from "../../storage/documents/documents.ts";
import { findWithoutShares, setShares } from "../../storage/documents/shares.ts";
import type { Store } from "../../storage/database/store.ts";
import { marketOfSale } from "../documents/originals.ts";
import { sharesOf } from "../domain/shares.ts";
import { parseAccepted } from "../issuing/outgoing.ts";

const PORTION = 500;

/** Documents that cannot be decrypted are left: reports name them. */
export async function fillShares(store: Store): Promise<void> {
  for (let after = ""; ; ) {
    const rows = await findWithoutShares(store.read, { after, limit: PORTION });
    const last = rows.at(-1);
    if (last === undefined) return;
    const inputs = await findReadableInputs(
      store.read,
      rows.map(({ id }) => id),
    );
    const shares: [id: string, json: string][] = [];
    for (const { id, mode, merchant_id: merchantId } of rows) {
      const input = inputs.get(id);
      if (input === undefined) continue;
      const { document, decided } = parseAccepted(input);
      const market = await marketOfSale(store.read, document, { mode, merchantId });
      shares.push([id, JSON.stringify(sharesOf(document, decided, market))]);
    }
    // Not at every start for documents that stay unreadable: the disk may be full.
    if (shares.length > 0)
      await store.write(async (trx) => {
        for (const [id, json] of shares) await setShares(trx, id, json);
      });
    after = last.id;
  }
}
