/** Builds command line input: retail receipts of 12.40 EUR that any test merchant may issue. */
import type { Workshop } from "./program.ts";

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
      issue_date: "2026-01-15",
      currency: "EUR",
      supplier: { tax_id: { country: "GR", code: SUPPLIER } },
      lines: [{ description: "Καφές", quantity: "2", unit_price: 500, vat_category: "standard" }],
      totals: { net: 1000, vat: 240, gross: 1240 },
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
