/** `fiscal documents map`: the column map that is stored for a merchant. */
import { stringify } from "smol-toml";
import type { ColumnMap } from "../../src/intake/column-map.ts";
import { getMerchant } from "../../src/merchants/merchants.ts";
import * as operations from "../../src/operations/remembered.ts";
import { questionAbout } from "../confirmation.ts";
import { noun } from "../define.ts";
import { write } from "../io.ts";
import { printJson } from "../ui/json.ts";
import { type Given, verbOf } from "../verb.ts";

export const defineMap = noun(
  [
    verbOf("show", operations.getColumnMap, { print: printMap }),
    verbOf("forget", operations.forgetColumnMap, {
      async confirm({ appliance, params }) {
        const { id, name } = await getMerchant(appliance, params["id"] ?? "");
        await operations.requireMap(appliance, id);
        return questionAbout(
          { en: "Forget the column map", el: "Να ξεχαστεί η αντιστοίχιση στηλών" },
          [name],
          { en: "Later files are read without it.", el: "Τα επόμενα αρχεία διαβάζονται χωρίς αυτή." },
        );
      },
      async notes(_forgotten, { appliance, params }) {
        const { external_id: shown } = await getMerchant(appliance, params["id"] ?? "");
        return [
          {
            en: `The column map of ${shown} is forgotten.`,
            el: `Η αντιστοίχιση στηλών της ${shown} ξεχάστηκε.`,
          },
        ];
      },
    }),
  ],
  "fiscal documents map show --merchant shop",
);

async function printMap(object: ColumnMap, { context }: Given): Promise<void> {
  if (context.options.json === true) return printJson(context.io, object);
  const { ignore, columns, values, defaults } = object;
  // In TOML a plain value must come before the tables.
  await write(context.io.stdout, `${stringify({ ignore, columns, values, defaults })}\n`);
}
