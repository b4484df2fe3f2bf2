/** Changes single fields of what PDFs show of a merchant. */
import { type AppError, validationError } from "../foundation/errors.ts";
import type { Settings } from "./settings.ts";

/** `address`, or `branches.3.address`. */
const FIELD = /^(?:branches\.([1-9][0-9]{0,3})\.)?([a-z]\w*)$/;

/** No text of a paper is one of these. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);

/** The paper with the changes, by field, unchecked. An empty value removes its field. Throws `validation_failed`. */
export function changePaper(settings: Pick<Settings, "paper">, changes: Readonly<Record<string, string>>) {
  const paper: Record<string, unknown> = { ...settings.paper };
  const branches: Record<string, Record<string, unknown>> = structuredClone(settings.paper.branches ?? {});
  for (const [name, value] of Object.entries(changes)) {
    const [, branch, field] = FIELD.exec(name) ?? [];
    // Branches change field by field.
    if (field === undefined || field === "branches") throw notAField(name);
    const fields = branch === undefined ? paper : (branches[branch] ??= {});
    if (value === "") delete fields[field];
    else fields[field] = BOOLEANS.get(value) ?? value;
  }
  const filled = Object.entries(branches).filter(([, fields]) => Object.keys(fields).length > 0);
  if (filled.length > 0) paper["branches"] = Object.fromEntries(filled);
  else delete paper["branches"];
  return paper;
}

function notAField(name: string): AppError {
  const message = {
    en: `takes a field such as address or branches.3.phone, not ${name}`,
    el: `δέχεται ένα πεδίο όπως address ή branches.3.phone, όχι ${name}`,
  };
  return validationError([{ path: "paper", message }]);
}
