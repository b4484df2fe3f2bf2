/** The step of the migration that seals customers, on both engines: docs/contract.md#customers. */
import { randomBytes } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import { expect, test } from "vitest";
import { listDocuments } from "../../src/documents/list-documents.ts";
import { findCustomer, listCustomers } from "../../src/merchants/customers.ts";
import { MasterKeyError } from "../../storage/database/errors.ts";
import type { Session } from "../../storage/database/session.ts";
import { placeOf } from "../../storage/encryption/cipher.ts";
import { sealCustomers } from "../../storage/migrations/0003-office.ts";
import { openBench } from "../helpers/appliance.ts";
import { onEngines } from "../helpers/engines.ts";

const KEY = randomBytes(32);
const NUMBER = { country: "DE", code: "129273398" };

function run(session: Session, statement: RawBuilder<never>): Promise<never[]> {
  return session.query((db) => ({ compile: () => statement.compile(db) }));
}

const engines = await onEngines({ SQLite: { bytes: "blob" }, PostgreSQL: { bytes: "bytea" } });
test.each(engines)("customers of an earlier version are sealed and found in $engine", async (engine) => {
  const storage = await engine.makeStorage();
  const bench = await openBench({ env: { FISCAL_MASTER_KEY: KEY.toString("hex"), ...storage } });
  const { appliance } = bench;
  const { store } = appliance;
  const [merchantId, other] = [await bench.makeMerchant(), await bench.makeMerchant("other")];
  const id = await bench.acceptFor(merchantId);
  await store.flush();
  const makeOld = () =>
    store.write(async (trx) => {
      const place = placeOf("customers", "sealed", [other, "test", NUMBER.country, NUMBER.code]);
      const sealed = trx.cipher.seal(place, JSON.stringify({ name: "Muster", address: null }));
      const columns = `merchant_id text, mode text, country text, code text, sealed ${engine.bytes}, last_used text, mail_id text`;
      await run(trx, sql.raw<never>(`create table customers_in_clear (${columns})`));
      await run(
        trx,
        sql<never>`insert into customers_in_clear values (${other}, 'test', 'DE', '129273398', ${sealed}, '2026-01-02', null)`,
      );
      await run(trx, sql<never>`update documents set customer_hash = null, customer_country = null`);
    });
  await makeOld();
  const wrongKey = store.write((trx) => sealCustomers(trx, () => [randomBytes(32)]));
  await expect(wrongKey).rejects.toThrow(MasterKeyError);
  await store.write((trx) => sealCustomers(trx, () => [KEY]));
  expect(await findCustomer(store.read, { merchantId: other, mode: "test", ...NUMBER })).toEqual({
    ...NUMBER,
    name: "Muster",
    address: null,
    last_used: "2026-01-02",
  });
  expect(await listCustomers(appliance, { merchantId, mode: "test", limit: 9 })).toHaveLength(1);
  const found = await listDocuments(appliance, "test", { limit: 9, customer_tax_id: "GR094012834" });
  expect(found.data.map((document) => document.id)).toEqual([id]);
  await bench.close();
});
