/** Changes single fields of a merchant's stationery, as `--paper field=value` gives them. */
import type { Settings } from "../../src/merchants/merchant-settings.ts";
import { UsageError } from "../exit.ts";

/** `address`, or `branches.3.address`. */
const FIELD = /^(?:branches\.([1-9][0-9]{0,3})\.)?([a-z]\w*)$/;

/** The settings with the changes, unchecked. An empty value removes its field. */
export function changePaper(settings: Settings, changes: Readonly<Record<string, string>>) {
  const paper: Record<string, unknown> = { ...settings.paper };
  const branches: Record<string, Record<string, string>> = structuredClone(settings.paper.branches ?? {});
  for (const [name, value] of Object.entries(changes)) {
    const [, branch, field] = FIELD.exec(name) ?? [];
    if (field === undefined) throw notAField(name);
    const fields = branch === undefined ? paper : (branches[branch] ??= {});
    if (value === "") delete fields[field];
    else fields[field] = value;
  }
  const filled = Object.entries(branches).filter(([, fields]) => Object.keys(fields).length > 0);
  if (filled.length > 0) paper["branches"] = Object.fromEntries(filled);
  else delete paper["branches"];
  return { ...settings, paper };
}

function notAField(name: string): UsageError {
  return new UsageError({
    en: `--paper takes a field such as address or branches.3.phone, not ${name}`,
    el: `η --paper δέχεται ένα πεδίο όπως address ή branches.3.phone, όχι ${name}`,
  });
}
