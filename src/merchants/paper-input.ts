/** The schema of `paper` in a merchant's settings (docs/contract.md#paper-of-branches), and changes of single fields of it. */
import * as v from "valibot";
import { component, described } from "../foundation/described.ts";
import { characters, nameCharacters, note } from "../foundation/field-schemas.ts";
import { type AppError, type Problem, validationError } from "../foundation/errors.ts";
import { NOT_AN_OBJECT } from "../foundation/messages.ts";
import { emailAddress, pattern, must, mustWith } from "../foundation/field-checks.ts";
import type { Text } from "../foundation/text.ts";

/** Every PDF of the merchant contains the logo. */
const LOGO_BYTES_MAX = 102_400;
/** The length of a data: URL with this many bytes. */
const LOGO_TEXT_LENGTH_MAX = 40 + Math.ceil(LOGO_BYTES_MAX / 3) * 4;

const DATA_URL = /^data:image\/(?:png|jpe?g);base64,/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

const TOO_LARGE: Text = {
  en: `must be at most ${LOGO_BYTES_MAX} bytes`,
  el: `πρέπει να είναι το πολύ ${LOGO_BYTES_MAX} byte`,
};
const NOT_BASE64: Text = {
  en: "must be a PNG or JPEG image, as a data: URL (data:image/png;base64,…) or in base64",
  el: "πρέπει να είναι εικόνα PNG ή JPEG, ως data: URL (data:image/png;base64,…) ή σε base64",
};

/** What `text` begins with if it is a data: URL; otherwise empty. */
export function dataUrlOf(text: string): string {
  return DATA_URL.exec(text)?.[0] ?? "";
}

/** Returns the bytes in `text`, a data: URL or its base64 alone, or what is wrong with it. */
export function readLogo(text: string): Buffer | { problem: Text } {
  if (text.length > LOGO_TEXT_LENGTH_MAX) return { problem: TOO_LARGE };
  const base64 = text.replace(DATA_URL, "");
  if (!BASE64.test(base64) || base64.length % 4 !== 0) return { problem: NOT_BASE64 };
  const bytes = Buffer.from(base64, "base64");
  return bytes.length > LOGO_BYTES_MAX ? { problem: TOO_LARGE } : bytes;
}

const LogoSchema = v.pipe(
  v.string(),
  mustWith((text) => {
    const logo = readLogo(text);
    return "problem" in logo ? logo.problem : undefined;
  }),
  note({ minLength: 1, maxLength: LOGO_TEXT_LENGTH_MAX }),
);

const HEX_COLOR = /^#[0-9a-fA-F]{6}$/;

const GEMI_NUMBER = /^[0-9]{1,12}$/;

/** What a branch may have of its own. The rest belongs to the business: name, ΓΕΜΗ number, tax office, logo. */
const BRANCH_FIELDS = {
  address: v.optional(described(nameCharacters(1, 300), "The address, in one line.")),
  phone: v.optional(described(nameCharacters(1, 50), "The telephone number.")),
  email: v.optional(described(v.pipe(characters(1, 254), emailAddress()), "The email address.")),
  website: v.optional(described(nameCharacters(1, 200), "The website.")),
  activity: v.optional(described(nameCharacters(1, 200), "What the business does, as registered.")),
};

const BRANCHES_MAX = 200;
/** Branch 0 is the head office, whose fields are those of `paper` itself. */
const BRANCH_NUMBER = /^[1-9][0-9]{0,3}$/;

const NOT_A_BRANCH: Text = {
  en: "must be by branch number, 1 to 9999; those of the head office are in paper itself",
  el: "πρέπει να είναι ανά αριθμό εγκατάστασης, 1 έως 9999· της έδρας είναι στο ίδιο το paper",
};
const TOO_MANY_BRANCHES: Text = {
  en: `must be at most ${BRANCHES_MAX}`,
  el: `πρέπει να είναι το πολύ ${BRANCHES_MAX}`,
};

/**
 * What is wrong with the branches in a request body, which their schema does not see: a record accepts arrays and drops keys such as
 * `constructor`. What is no object the schema reports.
 */
export function problemsWithBranches(body: unknown): Problem[] {
  const { branches } = (body as { paper?: { branches?: unknown } } | null)?.paper ?? {};
  const report = (message: Text) => [{ path: "paper.branches", message }];
  if (Array.isArray(branches)) return report(NOT_AN_OBJECT);
  if (typeof branches !== "object" || branches === null) return [];
  const numbers = Object.keys(branches);
  if (numbers.length > BRANCHES_MAX) return report(TOO_MANY_BRANCHES);
  return numbers.every((number) => BRANCH_NUMBER.test(number)) ? [] : report(NOT_A_BRANCH);
}

const byNumber = v.record(
  v.string(),
  component(
    "BranchPaper",
    "What a branch shows instead of the head office's.",
    v.strictObject(BRANCH_FIELDS),
  ),
);

const BranchesSchema = v.pipe(
  byNumber,
  note<v.InferOutput<typeof byNumber>>({
    maxProperties: BRANCHES_MAX,
    propertyNames: { pattern: BRANCH_NUMBER.source },
  }),
);

const IBAN = /^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/;

/** Whether the check digits of an IBAN are right: with its first four characters last and letters as 10 to 35, it is 1 modulo 97. */
function isIban(text: string): boolean {
  const digits = `${text.slice(4)}${text.slice(0, 4)}`.replace(/[A-Z]/g, (letter) =>
    String(Number.parseInt(letter, 36)),
  );
  return IBAN.test(text) && BigInt(digits) % 97n === 1n;
}

const BankAccountSchema = component(
  "BankAccount",
  "A bank account that customers may pay to.",
  v.strictObject({
    bank: described(nameCharacters(1, 100), "The name of the bank."),
    iban: described(
      v.pipe(
        characters(1, 60),
        v.transform((text) => text.replace(/[ -]/g, "").toUpperCase()),
        must(isIban, {
          en: "must be an IBAN, whose check digits are right",
          el: "πρέπει να είναι IBAN με σωστά ψηφία ελέγχου",
        }),
      ),
      "The IBAN, with or without spaces. Its check digits are verified.",
    ),
  }),
);

const BANK_ACCOUNTS_MAX = 10;

export const PaperSchema = component(
  "Paper",
  "What the PDFs show of the merchant.",
  v.strictObject({
    ...BRANCH_FIELDS,
    gemi: v.optional(
      described(
        v.pipe(
          v.string(),
          pattern(GEMI_NUMBER, {
            en: "must be a ΓΕΜΗ number: up to 12 digits",
            el: "πρέπει να είναι αριθμός ΓΕΜΗ: έως 12 ψηφία",
          }),
        ),
        "The number in the business registry (ΓΕΜΗ), up to 12 digits.",
      ),
    ),
    tax_office: v.optional(described(nameCharacters(1, 100), "The tax office (ΔΟΥ).")),
    branches: v.optional(
      described(
        BranchesSchema,
        "By branch number, 1 to 9999: what the documents of that branch show instead.",
      ),
    ),
    logo: v.optional(described(LogoSchema, "A PNG or JPEG image, as a data: URL or as its base64 alone.")),
    color: v.optional(
      described(
        v.pipe(
          v.string(),
          pattern(HEX_COLOR, {
            en: "must be a colour like #1a2b3c",
            el: "πρέπει να είναι χρώμα όπως #1a2b3c",
          }),
        ),
        "The colour of headings and lines, such as `#1a2b3c`.",
      ),
    ),
    bank_accounts: v.optional(
      described(
        v.pipe(v.array(BankAccountSchema), v.maxLength(BANK_ACCOUNTS_MAX)),
        "The bank accounts that the PDFs show, up to 10.",
      ),
    ),
    receipt: v.optional(
      described(
        v.boolean(),
        "Whether PDFs of retail documents (11.x) are receipts of 80 mm unless A4 is asked for; false by default.",
      ),
    ),
    language: v.optional(
      described(v.picklist(["el", "en"]), "The language of the PDFs: `el` Greek, `en` English."),
    ),
  }),
);

/** `address`, or `branches.3.address`. */
const FIELD = /^(?:branches\.([1-9][0-9]{0,3})\.)?([a-z]\w*)$/;

/** No text of a paper is one of these. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);

/** The paper with the changes, by field, unchecked. An empty value removes its field. Throws `validation_failed`. */
export function changePaper(
  before: v.InferOutput<typeof PaperSchema>,
  changes: Readonly<Record<string, string>>,
) {
  const paper: Record<string, unknown> = { ...before };
  const branches: Record<string, Record<string, unknown>> = structuredClone(before.branches ?? {});
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
