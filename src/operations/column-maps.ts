/** Operations on the column map that is stored for a merchant, with which its files are read. */
import { AppError } from "../foundation/errors.ts";
import { findRememberedMap, forgetMap, type RememberedMap } from "../intake/column-map.ts";
import type { Context } from "../journal/context.ts";
import { getMerchant } from "../merchants/merchants.ts";
import { data, localOperation } from "./operation.ts";

/** Throws `not_found` for the merchant or its map. */
export async function requireMap(context: Context, merchantId: string): Promise<RememberedMap> {
  const stored = await findRememberedMap(context, merchantId);
  if (stored !== undefined) return stored;
  const { external_id: shown } = await getMerchant(context, merchantId);
  throw new AppError("not_found", {
    en: `No column map is stored for ${shown}`,
    el: `Δεν έχει κρατηθεί αντιστοίχιση στηλών για την ${shown}`,
    next: { operation: "rememberColumnMap" },
  });
}

export const getColumnMap = localOperation({
  id: "getColumnMap",
  answers: "one",
  fields: ["object", "merchant", "columns", "values", "defaults", "ignore", "updated"],
  verb: {
    merchant: "required",
    summary: {
      en: "print the map as a file for --map",
      el: "τυπώνει την αντιστοίχιση ως αρχείο που δέχεται η --map",
    },
    examples: ["fiscal documents map show --merchant shop > map.toml"],
  },
  async handle({ context, params }) {
    const merchant = params["id"] ?? "";
    const { map, updated } = await requireMap(context, merchant);
    return data({ object: "column_map", merchant, ...map, updated });
  },
});

export const forgetColumnMap = localOperation({
  id: "forgetColumnMap",
  answers: "one",
  fields: ["object", "merchant", "deleted"],
  verb: {
    merchant: "required",
    summary: {
      en: "delete the map; later files of the merchant are read without one",
      el: "διαγράφει την αντιστοίχιση· τα επόμενα αρχεία της επιχείρησης διαβάζονται χωρίς αυτή",
    },
    examples: ["fiscal documents map forget --merchant shop --yes"],
  },
  async handle({ context, params }) {
    const merchant = params["id"] ?? "";
    await requireMap(context, merchant);
    await forgetMap(context, merchant);
    return data({ object: "column_map", merchant, deleted: true });
  },
});
