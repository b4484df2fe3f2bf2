/** `fiscal init`: creates the data directory, the master key and the database. */
import { existsSync } from "node:fs";
import { usesPostgres } from "../../src/config/addresses.ts";
import type { Text } from "../../src/foundation/text.ts";
import { EXIT } from "../exit.ts";
import { verb } from "../define.ts";
import { confirmChange, YES } from "../confirmation.ts";

export const defineInit = verb({
  flags: YES,
  examples: ["fiscal --data-dir ./data init --yes"],
  makesDatabase: true,
  fields: ["data_dir", "database", "master_key", "created"],
  async run(context, options) {
    const config = await context.configuration();
    const isServer = usesPostgres(config.storage);
    let isNew = !isServer && !existsSync(config.storage.database);
    const question = {
      en: `Create the database ${config.storage.database}?`,
      el: `Να δημιουργηθεί η βάση ${config.storage.database};`,
    };
    if (isNew && !(await confirmChange(context, options, question, NOTHING_CREATED))) return EXIT.failure;
    // Opening creates what is missing and rejects a database and key that do not belong together.
    const startedAt = new Date().toISOString();
    await context.withAppliance(async (appliance) => {
      if (isServer) isNew = (await appliance.createdAt()) >= startedAt;
    });
    const made = {
      data_dir: config.dataDir,
      database: isServer ? "PostgreSQL" : config.storage.database,
      master_key: config.security.masterKey === null ? config.security.masterKeyFile : "FISCAL_MASTER_KEY",
      created: isNew,
    };
    return {
      object: made,
      shown: [
        [{ en: "data directory", el: "φάκελος δεδομένων" }, made.data_dir],
        [{ en: "database", el: "βάση δεδομένων" }, made.database],
        [{ en: "master key", el: "κύριο κλειδί" }, made.master_key],
      ],
      notes: context.options.json === true ? [] : [isNew ? NEXT_STEPS : ALREADY_THERE],
    };
  },
});

const NOTHING_CREATED: Text = { en: "Nothing was created.", el: "Δεν δημιουργήθηκε τίποτα." };

const ALREADY_THERE: Text = {
  en: "It already exists and is in order; nothing was changed.",
  el: "Υπήρχε ήδη και είναι εντάξει· δεν άλλαξε τίποτα.",
};

const NEXT_STEPS: Text = {
  en: `Ready. Store the master key separately from database backups: neither is of use without the other.
Next: fiscal merchants add --external-id shop --name "…" --tax-id …, then fiscal keys create --mode test --name shop`,
  el: `Έτοιμο. Φυλάξτε το κύριο κλειδί χωριστά από τα αντίγραφα της βάσης: το ένα είναι άχρηστο χωρίς το άλλο.
Στη συνέχεια: fiscal merchants add --external-id shop --name "…" --tax-id …, έπειτα fiscal keys create --mode test --name shop`,
};
