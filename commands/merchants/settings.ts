/** `fiscal merchants settings`: shows a merchant's settings for the mode, replaces all of them, changes what PDFs show, or closes the books. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { changeSettings, getSettings, putSettings, type Settings } from "../../src/merchants/settings.ts";
import type { CommandContext } from "../context.ts";
import { UsageError } from "../exit.ts";
import { asUsageError, readJsonInput } from "../input.ts";
import { day, keyValue } from "../options.ts";
import { printJson } from "../ui/json.ts";
import { findMerchant } from "./find-merchant.ts";
import { verb } from "../define.ts";

interface SettingsOptions {
  file?: string;
  paper?: Record<string, string>;
  /** Empty opens the books again. */
  closedUntil?: string;
}

export const defineSettings = verb({
  flags: {
    "--file <file>": {
      en: "the new settings; - is standard input",
      el: "οι νέες ρυθμίσεις· το - είναι η τυπική είσοδος",
    },
    "--paper <field=value>": {
      en: "change a field that PDFs show, such as address or phone; an empty value removes it, logo takes a file (repeatable)",
      el: "αλλάζει ένα πεδίο που δείχνουν τα PDF, όπως address ή phone· με κενή τιμή αφαιρείται, το logo δέχεται αρχείο (επαναλαμβάνεται)",
      read: keyValue,
    },
    "--closed-until <day>": {
      en: "close the books: refuse documents dated on this day or before; an empty value opens them again",
      el: "κλείνει τα βιβλία: δεν δέχεται παραστατικά με ημερομηνία έως και αυτή την ημέρα· με κενή τιμή ανοίγουν πάλι",
      read: (flag) => (value) => (value === "" ? "" : day(flag)(value)),
    },
  },
  examples: [
    "fiscal merchants settings shop --json > settings.json",
    "fiscal merchants settings shop --file settings.json",
    "fiscal merchants settings shop --live --file settings.json",
    "fiscal merchants settings shop --closed-until 2025-10-31",
    'fiscal merchants settings shop --paper "address=Ερμού 12, 10563 Αθήνα" --paper "phone=210 1234567"',
  ],
  run: runSettings,
});

/** Prints JSON with and without `--json`, because settings are nested. */
async function runSettings(
  context: CommandContext,
  name: string,
  { file, paper, closedUntil }: SettingsOptions,
): Promise<void> {
  const changed = paper === undefined ? "closed-until" : "paper";
  if (file !== undefined && (paper ?? closedUntil) !== undefined)
    throw new UsageError({
      en: `--file replaces all settings and --${changed} changes single ones; give one or the other`,
      el: `η --file αντικαθιστά όλες τις ρυθμίσεις και η --${changed} αλλάζει μεμονωμένες· δώστε τη μία ή την άλλη`,
    });
  const body = file === undefined ? undefined : await readJsonInput(context.io, file);
  const changes = paper === undefined ? {} : await readLogoFile(context, paper);
  const settings = await context.withAppliance(async (appliance, mode) => {
    const { id } = await findMerchant(appliance, name);
    if (body !== undefined) return putSettings(appliance, id, body, mode);
    const present = await getSettings(appliance, id, mode);
    if ((paper ?? closedUntil) === undefined) return present;
    const closing =
      closedUntil === undefined ? {} : { closed_until: closedUntil === "" ? null : closedUntil };
    return changeSettings(appliance, id, mode, { paper: changePaper(present, changes), ...closing });
  });
  await printJson(context.io, settings);
}

/** The logo's file as the text that the settings take. */
async function readLogoFile(
  { io }: CommandContext,
  paper: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const { logo = "" } = paper;
  if (logo === "" || logo.startsWith("data:")) return paper;
  try {
    return { ...paper, logo: await readFile(resolve(io.cwd, logo), "base64") };
  } catch (error) {
    throw asUsageError(error, logo);
  }
}

/** `address`, or `branches.3.address`. */
const FIELD = /^(?:branches\.([1-9][0-9]{0,3})\.)?([a-z]\w*)$/;

/** No text of a paper is one of these. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);

/** The paper with the changes, unchecked. An empty value removes its field. */
function changePaper(settings: Pick<Settings, "paper">, changes: Readonly<Record<string, string>>) {
  const paper: Record<string, unknown> = { ...settings.paper };
  const branches: Record<string, Record<string, unknown>> = structuredClone(settings.paper.branches ?? {});
  for (const [name, value] of Object.entries(changes)) {
    const [, branch, field] = FIELD.exec(name) ?? [];
    if (field === undefined) throw notAField(name);
    const fields = branch === undefined ? paper : (branches[branch] ??= {});
    if (value === "") delete fields[field];
    else fields[field] = BOOLEANS.get(value) ?? value;
  }
  const filled = Object.entries(branches).filter(([, fields]) => Object.keys(fields).length > 0);
  if (filled.length > 0) paper["branches"] = Object.fromEntries(filled);
  else delete paper["branches"];
  return paper;
}

function notAField(name: string): UsageError {
  return new UsageError({
    en: `--paper takes a field such as address or branches.3.phone, not ${name}`,
    el: `η --paper δέχεται ένα πεδίο όπως address ή branches.3.phone, όχι ${name}`,
  });
}
