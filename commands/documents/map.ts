/** `fiscal documents map`: the column map that is stored for a merchant. */
import { stringify } from "smol-toml";
import { AppError } from "../../src/foundation/errors.ts";
import { findRememberedMap, forgetMap, type RememberedMap } from "../../src/intake/remembered-maps.ts";
import type { Context } from "../../src/journal/context.ts";
import type { MerchantObject } from "../../src/merchants/merchant-object.ts";
import { confirmChange, questionAbout, YES, type YesOption } from "../confirmation.ts";
import type { CommandContext } from "../context.ts";
import { noun, verb } from "../define.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { printNote, write } from "../io.ts";
import { chooseMerchant, MERCHANT } from "../merchants/choose-merchant.ts";
import { findMerchant, type MerchantOption } from "../merchants/find-merchant.ts";
import { printJson } from "../ui/json.ts";

export const defineMap = noun(
  [
    {
      name: "show",
      summary: {
        en: "print the map as a file for --map",
        el: "τυπώνει την αντιστοίχιση ως αρχείο που δέχεται η --map",
      },
      load: async () =>
        verb({
          flags: MERCHANT,
          examples: ["fiscal documents map show --merchant shop > map.toml"],
          run: show,
        }),
    },
    {
      name: "forget",
      summary: {
        en: "delete the map; later files of the merchant are read without one",
        el: "διαγράφει την αντιστοίχιση· τα επόμενα αρχεία της επιχείρησης διαβάζονται χωρίς αυτή",
      },
      load: async () =>
        verb({
          flags: { ...MERCHANT, ...YES },
          examples: ["fiscal documents map forget --merchant shop --yes"],
          run: forget,
        }),
    },
  ],
  "fiscal documents map show --merchant shop",
);

interface Found extends RememberedMap {
  merchant: MerchantObject;
}

/** Throws `not_found` for the merchant or its map. */
async function find(appliance: Context, name: string): Promise<Found> {
  const merchant = await findMerchant(appliance, name);
  const stored = await findRememberedMap(appliance, merchant.id);
  if (stored !== undefined) return { merchant, ...stored };
  const { external_id: shown } = merchant;
  throw new AppError("not_found", {
    en: `No column map is stored for ${shown}; \`fiscal documents issue --map FILE --remember-map\` stores one`,
    el: `Δεν έχει κρατηθεί αντιστοίχιση στηλών για την ${shown}· την κρατά η \`fiscal documents issue --map FILE --remember-map\``,
  });
}

async function show(context: CommandContext, options: MerchantOption): Promise<void> {
  const { io } = context;
  const name = await chooseMerchant(context, options.merchant);
  const { merchant, map, updated } = await context.withAppliance((appliance) => find(appliance, name));
  if (context.options.json === true)
    return printJson(io, { object: "column_map", merchant: merchant.id, ...map, updated });
  // In TOML a plain value must come before the tables.
  const { ignore, ...tables } = map;
  await write(io.stdout, `${stringify({ ignore, ...tables })}\n`);
}

async function forget(context: CommandContext, options: MerchantOption & YesOption): Promise<ExitCode> {
  const { io } = context;
  const name = await chooseMerchant(context, options.merchant);
  return context.withAppliance(async (appliance) => {
    const { merchant } = await find(appliance, name);
    const question = questionAbout(
      { en: "Forget the column map", el: "Να ξεχαστεί η αντιστοίχιση στηλών" },
      [merchant.name],
      { en: "Later files are read without it.", el: "Τα επόμενα αρχεία διαβάζονται χωρίς αυτή." },
    );
    if (!(await confirmChange(context, options, question))) return EXIT.failure;
    await forgetMap(appliance, merchant.id);
    if (context.options.json === true)
      await printJson(io, { object: "column_map", merchant: merchant.id, deleted: true });
    await printNote(io, {
      en: `The column map of ${merchant.external_id} is forgotten.`,
      el: `Η αντιστοίχιση στηλών της ${merchant.external_id} ξεχάστηκε.`,
    });
    return EXIT.done;
  });
}
