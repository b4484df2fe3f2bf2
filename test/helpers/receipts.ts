/** Builds command line input: retail receipts of 12.40 EUR that any test merchant may issue. */
import { openWorkshop, type Workshop } from "./program.ts";

export const SUPPLIER = "123456783";

export interface Receipt {
  external_reference?: string;
  metadata?: Record<string, string>;
  document: Record<string, unknown>;
  [field: string]: unknown;
}

/** `scene` is a sandbox scenario (docs/contract.md#sandbox-scenes). */
export function receipt(reference: string | undefined, scene?: string): Receipt {
  return {
    ...(reference === undefined ? {} : { external_reference: reference }),
    ...(scene === undefined ? {} : { metadata: { sandbox: scene } }),
    document: {
      type: "11.1",
      issue_date: "2025-01-15",
      currency: "EUR",
      supplier: { tax_id: { country: "GR", code: SUPPLIER } },
      lines: [{ description: "Καφές", quantity: "2", unit_price: 500, vat_category: "standard" }],
      totals: { net: 1000, vat: 240, gross: 1240 },
    },
  };
}

/** An invoice of 63.24 EUR with two lines: 30.00 and 21.00 net at 24%. */
export function invoice(reference: string): Receipt {
  return {
    external_reference: reference,
    document: {
      type: "1.1",
      issue_date: "2025-01-15",
      currency: "EUR",
      supplier: { tax_id: { country: "GR", code: SUPPLIER } },
      customer: { tax_id: { country: "GR", code: "094012834" } },
      lines: [
        { description: "Καφές", quantity: "2.5", unit: "kg", unit_price: 1200, vat_category: "standard" },
        { description: "Φλιτζάνια", quantity: "6", unit_price: 350, vat_category: "standard" },
      ],
      totals: { net: 5100, vat: 1224, gross: 6324 },
    },
  };
}

/** One body per line. */
export function lines(bodies: readonly unknown[]): string {
  return bodies.map((body) => `${JSON.stringify(body)}\n`).join("");
}

/** Adds the merchant `shop` and returns its id. */
export async function addShop(workshop: Workshop, externalId = "shop"): Promise<string> {
  const named = ["--external-id", externalId, "--name", "Παράδειγμα Α.Ε.", "--tax-id", SUPPLIER];
  const run = await workshop.run(["merchants", "add", ...named, "--json"]);
  return run.json<{ id: string }>().id;
}

/** A workshop with the merchant `shop`. `env` is for every command. */
export async function openShop(env: Record<string, string> = {}): Promise<Workshop> {
  const workshop = await openWorkshop(env);
  await addShop(workshop);
  return workshop;
}
