/** Test data for measurements: an appliance in a folder, a document of three lines (1.3 KB of JSON), a CSV file. */
import { type Appliance, openAppliance } from "../src/appliance.ts";
import { loadConfig } from "../src/config/config.ts";
import { athensDay } from "../src/foundation/clock.ts";
import { createKey } from "../src/keys/api-keys.ts";
import { createMerchant } from "../src/merchants/merchants.ts";

const SUPPLIER = "123456783";

export const TEST_CAUSE = { mode: "test", requestId: null, idempotencyKey: null } as const;

/** Settings without rate limits, for a server on any free port. */
export const SETTINGS = { FISCAL_RATE_LIMIT__REQUESTS: "0", FISCAL_SERVER__PORT: "0" };

/** `settings` are further environment variables. */
export async function openBenchAppliance(
  folder: string,
  settings: Record<string, string> = {},
): Promise<Appliance> {
  const env = { ...SETTINGS, ...settings, HOME: folder, FISCAL_DATA_DIR: `${folder}/data` };
  return openAppliance({ config: loadConfig({ env, cwd: folder, flags: {} }), log: LOG });
}

/** Warnings and errors only. */
export const LOG = { debug() {}, info() {}, warn: complain, error: complain };

function complain(fields: Record<string, unknown>, message: string): void {
  process.stderr.write(`${message} ${JSON.stringify(fields)}\n`);
}

export async function makeMerchant(appliance: Appliance, name = "bench"): Promise<string> {
  const input = { external_id: name, name: "Μέτρηση", tax_id: SUPPLIER };
  return (await createMerchant(appliance, input, TEST_CAUSE)).id;
}

export async function makeKey(appliance: Appliance): Promise<string> {
  return (await createKey(appliance, { mode: "test", name: "bench" })).secret;
}

export function buildBody(merchant: string, reference: string, series?: string): Record<string, unknown> {
  const line = (description: string, quantity: string, unit_price: number, vat_category: string) => ({
    description,
    quantity,
    unit: "piece",
    unit_price,
    vat_category,
    income_classification: { category: "category1_1", type: "E3_561_001" },
  });
  return {
    merchant,
    ...(series === undefined ? {} : { series }),
    external_reference: reference,
    metadata: { order: reference, shop: "Κέντρο" },
    document: {
      type: "1.1",
      // As nearly all documents: one dated back is decided in the commit, because the last one's date matters.
      issue_date: athensDay(Date.now()),
      currency: "EUR",
      supplier: { tax_id: { country: "GR", code: SUPPLIER }, branch: 0 },
      customer: { tax_id: { country: "GR", code: "094012834" }, branch: 0 },
      lines: [
        line("Καφές σε κόκκους, μείγμα εσπρέσο, συσκευασία ενός κιλού", "2.5", 1240, "standard"),
        line("Χάρτινα φίλτρα για μηχανές γαλλικού καφέ, εκατό τεμάχια", "10", 35, "standard"),
        line("Γάλα φρέσκο πλήρες, συσκευασία ενός λίτρου", "12", 115, "reduced"),
      ],
      payments: [{ method: "on_credit", amount: 5837 }],
      totals: { net: 4830, vat: 1007, gross: 5837 },
    },
  };
}

/** A CSV file of documents of today with one line each. */
export function* csvLines(rows: number): Generator<string> {
  const today = athensDay(Date.now());
  yield "reference,type,issue_date,customer_country,customer_tax_id,description,quantity,unit,unit_price,vat_category,payment_method\n";
  for (let row = 1; row <= rows; row += 1) {
    yield `order-${row},1.1,${today},GR,094012834,"Καφές, κόκκοι",2.5,kg,12.40,24%,on_credit\n`;
  }
}
