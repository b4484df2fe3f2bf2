/**
 * `fiscal documents credit`: credits a document, or parts of its lines. With --mark also one that was not issued here, which is
 * read from its provider first. See docs/contract.md#credit-and-repeat.
 */
import type { Appliance } from "../../src/appliance.ts";
import { creditDocument, ownOriginal, previewCredit, readCreditable } from "../../src/documents/credit.ts";
import { type ReadOriginal, registeredOriginal } from "../../src/documents/credit-original.ts";
import { AppError } from "../../src/foundation/errors.ts";
import { joinTexts, sameInBoth, SEMICOLON, type Text } from "../../src/foundation/text.ts";
import type { Mode } from "../../src/domain/vocabulary.ts";
import { causeOf } from "../context.ts";
import { InterruptedError, UsageError } from "../exit.ts";
import { interruptible, type ProgramIo } from "../io.ts";
import { ISSUE_ONE_FIELDS, ISSUE_ONE_FLAGS, issueOne, type Order } from "./issue-one.ts";
import { aboutFlag, repeated } from "../options.ts";
import { QUANTITY_FORM } from "../../src/domain/document-codes.ts";
import { type Flags, type OptionsOf, verb } from "../define.ts";
import { pacingFor } from "./waiting.ts";
import { IDEMPOTENCY_KEY, ISSUE_DATE } from "../common-flags.ts";
import { useOfKey } from "../../src/journal/idempotency.ts";
import { getDocument } from "../../src/documents/list-documents.ts";
import { findOwnOriginal, readRegisteredOriginal } from "../../src/documents/registered-original.ts";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import { findMerchant } from "../merchants/find-merchant.ts";
import { formatNumber } from "../../src/operations/document-view.ts";
import { findDocument } from "./find-document.ts";

const NOTES: Text = {
  en: `Without --line everything that is left is credited. --mark reads the invoice of another program from the tax authority,
with its lines and their classification; a line without a quantity there counts as one piece. In live mode the credit note is shown first and asks for confirmation.
Exit: 2 if more is credited than is left, or nothing is left; 4 if the provider refused it; 5 if it could not be delivered, or
the invoice could not be read.`,
  el: `Χωρίς --line πιστώνεται ό,τι απομένει. Η --mark διαβάζει από την ΑΑΔΕ το τιμολόγιο που εξέδωσε άλλο πρόγραμμα, με τις
γραμμές και τους χαρακτηρισμούς τους· γραμμή χωρίς ποσότητα εκεί μετρά ως ένα τεμάχιο. Στην παραγωγική λειτουργία το πιστωτικό εμφανίζεται πρώτα και ζητείται επιβεβαίωση.
Κωδικός εξόδου: 2 όταν πιστώνονται περισσότερα από όσα απομένουν ή δεν απομένει τίποτα· 4 όταν ο πάροχος το απέρριψε· 5 όταν
δεν παραδόθηκε ή το τιμολόγιο δεν διαβάστηκε.`,
};

const FLAGS = {
  "--mark <mark>": {
    en: "MARK of an invoice that was not issued here; with --merchant",
    el: "ΜΑΡΚ τιμολογίου που δεν εκδόθηκε εδώ· μαζί με --merchant",
  },
  "--merchant <merchant>": {
    en: "merchant of the --mark, or of the reference if several merchants use it",
    el: "ποιας επιχείρησης είναι το --mark, ή η αναφορά όταν την έχουν περισσότερες",
  },
  "--line <n[:quantity]>": {
    en: "credit what is left of line n, or a quantity of it; may be repeated",
    el: "πιστώνει ό,τι απομένει από τη γραμμή n, ή μια ποσότητά της· επαναλαμβάνεται",
    read: creditLine,
  },
  ...ISSUE_DATE,
  "--reference <reference>": {
    en: "external reference of the credit note",
    el: "εξωτερική αναφορά του πιστωτικού",
  },
  ...IDEMPOTENCY_KEY,
  ...ISSUE_ONE_FLAGS,
} satisfies Flags;

type CreditOptions = OptionsOf<typeof FLAGS>;

export const defineCredit = verb({
  flags: FLAGS,
  notes: NOTES,
  examples: [
    "fiscal documents credit 2026-001 --preview",
    "fiscal documents credit 2026-001 --line 1:2 --line 3 --reference 2026-001-credit",
    "fiscal documents credit --mark 400001234567890 --merchant harbour --preview",
  ],
  fields: ISSUE_ONE_FIELDS,
  async run(context, options, name?: string) {
    const { io } = context;
    requireOneName(name, options);
    const body = bodyOf(options);
    return context.withAppliance(async (appliance, mode) => {
      const target = await findTarget({ io, appliance, mode }, name, options);
      const { original, parameters } = target;
      const use = useOfKey("creditDocument", options.idempotencyKey, parameters, body);
      // The API reports as `invalid_state` that nothing is left, which is wrong input here.
      const explain = async (error: unknown) => {
        if (error instanceof AppError && error.code === "invalid_state") await requireLeft(appliance, target);
        throw error;
      };
      const order: Order = {
        appliance,
        mode,
        place: { en: `credit of ${target.name.en}`, el: `πίστωση του ${target.name.el}` },
        reference: null,
        question: {
          en: "Issue this credit note? It cannot be undone.",
          el: "Να εκδοθεί αυτό το πιστωτικό; Δεν αναιρείται.",
        },
        alwaysAsks: false,
        async examine() {
          await requireLeft(appliance, target);
          return inFlags(options, () => previewCredit(appliance, mode, original, body));
        },
        accept: () =>
          inFlags(options, () =>
            creditDocument(appliance, original, body, causeOf(mode), use).catch(explain),
          ),
      };
      return issueOne(context, order, options);
    });
  },
});

/** The body of the API's `creditDocument`. */
function bodyOf({ line, date, reference }: CreditOptions): Record<string, unknown> {
  const given = { issue_date: date, external_reference: reference, lines: line };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Names the flags, and the lines as they were given, where a value is refused: `--line 2: must be at most 3`. */
async function inFlags<T>({ line: lines = [] }: CreditOptions, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.problems.length === 0) throw error;
    const named = error.problems.map(({ path, message }) => {
      const [, index] = /^lines\[(\d+)\]/.exec(path) ?? [];
      const flag = index === undefined ? FLAG_OF[path] : `--line ${lines[Number(index)]!.line}`;
      return aboutFlag(flag ?? path, message);
    });
    throw new UsageError(joinTexts(named, SEMICOLON), { cause: error });
  }
}

const FLAG_OF: Readonly<Record<string, string>> = {
  lines: "--line",
  issue_date: "--date",
  "document.issue_date": "--date",
  external_reference: "--reference",
};

/** Throws UsageError if nothing is left, and `invalid_state` if the document cannot be credited. */
async function requireLeft(appliance: Appliance, { original }: CreditTarget): Promise<void> {
  const { isNothingLeft, nothingLeft } = await readCreditable(appliance, original);
  if (isNothingLeft) throw new UsageError(nothingLeft);
}

/** A line of the body of `creditDocument`. */
interface CreditLine {
  line: number;
  quantity?: string;
}

/** A parser for the repeatable flag. The quantity may have a decimal comma. */
function creditLine(flag: string) {
  return repeated((value): CreditLine[] => {
    const [, line = "", written] = /^([1-9][0-9]{0,3})(?::(.+))?$/.exec(value) ?? [];
    const quantity = written?.replace(",", ".");
    if (line === "" || (quantity !== undefined && !QUANTITY_FORM.test(quantity)))
      throw new UsageError({
        en: `${flag} takes the number of a line, and a quantity after a colon: 2 or 2:1.5`,
        el: `η ${flag} δέχεται τον αριθμό μιας γραμμής, και μετά από άνω-κάτω τελεία μια ποσότητα: 2 ή 2:1,5`,
      });
    return [{ line: Number(line), ...(quantity === undefined ? {} : { quantity }) }];
  });
}

type TargetOptions = Pick<CreditOptions, "mark" | "merchant">;

/** Throws UsageError unless exactly one of the two names the document. */
function requireOneName(name: string | undefined, { mark, merchant }: TargetOptions): void {
  if (name === undefined ? mark !== undefined && merchant !== undefined : mark === undefined) return;
  throw new UsageError({
    en: "name the document by its id, external reference, series and number or MARK; or, if it was not issued here, only by --mark and --merchant, which issued it",
    el: "ορίστε το παραστατικό με το id, την εξωτερική αναφορά, τη σειρά και τον αριθμό ή το ΜΑΡΚ του· ή, αν δεν εκδόθηκε εδώ, μόνο με --mark και --merchant, που το εξέδωσε",
  });
}

interface CreditTarget {
  original: ReadOriginal;
  name: Text;
  /** What identifies it in the fingerprint of an idempotency key. */
  parameters: Record<string, string>;
}

/** Throws what finding or reading the document throws, and InterruptedError. */
async function findTarget(
  { io, appliance, mode }: { io: ProgramIo; appliance: Appliance; mode: Mode },
  name: string | undefined,
  options: TargetOptions,
): Promise<CreditTarget> {
  const { mark, merchant: merchantName } = options;
  if (name !== undefined)
    return ownTarget(appliance, mode, await findDocument(appliance, mode, name, options));
  if (mark === undefined || merchantName === undefined) throw new Error("The document to credit has no name");
  const named = { mode, merchant: (await findMerchant(appliance, merchantName)).id, mark };
  const ownId = await findOwnOriginal(appliance, named);
  if (ownId !== undefined) return ownTarget(appliance, mode, await getDocument(appliance, mode, ownId));
  const registered = await interruptible(io, async (signal) => {
    const read = await readRegisteredOriginal(appliance, named, pacingFor(io, signal));
    return signal.aborted ? undefined : read;
  });
  if (registered === undefined)
    throw new InterruptedError({
      en: "interrupted: nothing was issued",
      el: "διακόπηκε: δεν εκδόθηκε τίποτα",
    });
  return {
    original: registeredOriginal(registered),
    name: { en: `MARK ${mark}`, el: `ΜΑΡΚ ${mark}` },
    parameters: { merchant: named.merchant, mark },
  };
}

function ownTarget(appliance: Appliance, mode: Mode, document: DocumentObject): CreditTarget {
  return {
    original: ownOriginal(appliance, mode, document.id),
    name: sameInBoth(formatNumber(document)),
    parameters: { id: document.id },
  };
}
