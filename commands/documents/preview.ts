/** `fiscal documents preview`: shows what would be sent, without sending or storing anything. */
import { type Mode, PROVIDERS } from "../../src/domain/vocabulary.ts";
import { EXIT } from "../exit.ts";
import { isRecord, nameOf } from "../input-files.ts";
import { printNote, printProblem, type ProgramIo, write } from "../io.ts";
import { joinTexts, type Text } from "../../src/foundation/text.ts";
import { findMerchant } from "../merchants/find-merchant.ts";
import { choice, integer } from "../options.ts";
import { chooseNames, FILE_FLAGS, readMapFile } from "./batch/batch-map.ts";
import { type Reading, readItems } from "./batch/read-files.ts";
import { type Flags, type OptionsOf, verb } from "../define.ts";
import type { Appliance } from "../../src/appliance.ts";
import { checkDocument } from "../../src/documents/accept.ts";
import { type Examination, examineDocument } from "../../src/documents/preview.ts";
import { PreviewEnvelopeSchema } from "../../src/domain/issue-body.ts";
import { AppError, validationError } from "../../src/foundation/errors.ts";
import { checkWith } from "../../src/foundation/validation.ts";
import type { MerchantObject } from "../../src/merchants/merchant-object.ts";
import type { BatchItem } from "../../src/intake/accept-items.ts";
import { printJson, printJsonList } from "../ui/json.ts";
import { PREVIEW_FIELDS, printExamination } from "./preview/preview-view.ts";

const LIMIT_MAX = 100_000;

const NOTES: Text = {
  en: `FILE has the canonical document itself, a body that has it under document, or several: .json, .ndjson, .csv, .xlsx.
Exit: 2 if a document is invalid. --json prints the API's object, or a list for several documents.`,
  el: `Το FILE έχει το ίδιο το παραστατικό, ένα σώμα που το έχει στο document, ή πολλά: .json, .ndjson, .csv, .xlsx.
Κωδικός εξόδου: 2 όταν ένα παραστατικό δεν είναι σωστό. Η --json τυπώνει το αντικείμενο του API, ή λίστα όταν είναι πολλά.`,
};

const FLAGS = {
  "--provider <provider>": {
    en: "in the format of this provider",
    el: "στη μορφή αυτού του παρόχου",
    read: choice(PROVIDERS),
  },
  ...FILE_FLAGS,
  "--payload": {
    en: "also show what the provider would receive",
    el: "δείχνει και τι θα λάμβανε ο πάροχος",
  },
  "--limit <n>": {
    en: "only the first n documents (default 20, with --json all)",
    el: "μόνο τα πρώτα n παραστατικά (αν λείπει: 20, με --json όλα)",
    read: integer(1, LIMIT_MAX),
  },
} satisfies Flags;

type PreviewOptions = OptionsOf<typeof FLAGS>;

export const definePreview = verb({
  flags: FLAGS,
  notes: NOTES,
  examples: [
    "fiscal documents preview document.json --payload",
    "fiscal documents preview documents.csv --merchant shop --limit 3",
  ],
  fields: PREVIEW_FIELDS,
  /** Throws the error of a document that is the whole file. Of several, reports the invalid ones and prints the others. */
  async run(context, options, file: string) {
    const { io } = context;
    const isJson = context.options.json === true;
    const limit = options.limit ?? (isJson ? Number.POSITIVE_INFINITY : LIMIT_DEFAULT);
    const given = await readMapFile(io, options);
    const single = nameOf(file).en;
    const notes: Text[] = [];
    let printed = 0;
    let invalid = 0;
    let wouldBeRefused = false;
    let isCut = false;
    return context.interruptible(async (appliance, mode, signal) => {
      const merchant =
        options.merchant === undefined ? undefined : await findMerchant(appliance, options.merchant);
      const names = await chooseNames(io, appliance, merchant, { ...options, files: [file], given });
      if (names === undefined) return EXIT.failure;
      const today = appliance.clock.today();
      const note = (text: Text) => void notes.push(text);
      const reading: Reading = { ...options, defaults: { merchant }, names, today, signal, note };
      async function* previews(): AsyncGenerator<Preview> {
        for await (const item of readItems(io, file, reading)) {
          if (printed + invalid >= limit) {
            isCut = true;
            return;
          }
          const { place } = item;
          const preview = await examine(appliance, mode, item, { options, merchant }).catch(asRefusal);
          if (preview instanceof AppError) {
            if (place.en === single) throw preview;
            invalid += 1;
            await printProblem(io, joinTexts([place, preview.text], ": "));
            continue;
          }
          printed += 1;
          if (preview.refusal !== undefined) {
            wouldBeRefused = true;
            await printNote(io, joinTexts([place, WOULD_BE_REFUSED, preview.refusal.text], ": "));
          }
          yield preview;
        }
      }
      if (isJson) await printObjects(io, previews(), single, () => isCut);
      else
        for await (const { place, reference, examination } of previews()) {
          if (printed > 1) await write(io.stdout, "\n");
          const payload = options.payload === true;
          await printExamination(io, examination, { place, reference, mode, payload });
        }
      if (isCut)
        await printNote(io, {
          en: `There are more documents: to see them, set --limit above ${limit}.`,
          el: `Υπάρχουν κι άλλα παραστατικά: για να τα δείτε, ορίστε --limit πάνω από ${limit}.`,
        });
      for (const text of notes) await printNote(io, text);
      return invalid === 0 && !wouldBeRefused ? EXIT.done : EXIT.usage;
    });
  },
});

/** A person does not read more. */
const LIMIT_DEFAULT = 20;

const WOULD_BE_REFUSED: Text = { en: "issuing would refuse this", el: "δεν θα μπορούσε να εκδοθεί" };

/** A document that can be previewed. */
interface Preview {
  place: Text;
  reference: string | null;
  examination: Examination;
  /** Why issuing would refuse it; undefined if it would be accepted, or no merchant is known. */
  refusal: AppError | undefined;
}

/** Throws the error of a document that cannot be previewed. */
async function examine(
  appliance: Appliance,
  mode: Mode,
  item: BatchItem,
  { options, merchant }: { options: PreviewOptions; merchant: MerchantObject | undefined },
): Promise<Preview> {
  if ("error" in item) throw item.error;
  const { place, reference } = item;
  const { document, ...around } = unwrap(item.body, merchant);
  const provider = options.provider ?? around.provider;
  const examination = await examineDocument(appliance, document, { ...around, mode, provider });
  if (around.merchant === undefined) return { place, reference, examination, refusal: undefined };
  const body = Object.entries({ document, ...around, provider }).filter(([, value]) => value !== undefined);
  const check = checkDocument(appliance, Object.fromEntries(body), mode);
  const refusal = await check.then(() => undefined, asRefusal);
  return { place, reference, examination, refusal };
}

/** The error of a document. Throws every other error. */
function asRefusal(error: unknown): AppError {
  if (error instanceof AppError && error.code !== "internal_error") return error;
  throw error;
}

/** The document, and the fields of the body around it. Throws `validation_failed`. */
function unwrap(body: unknown, merchant: MerchantObject | undefined) {
  if (!isRecord(body) || !("document" in body)) {
    // Reading has added the merchant, which is not part of a bare document.
    const { merchant: _added, ...bare } = isRecord(body) ? body : {};
    const document = isRecord(body) && merchant !== undefined ? bare : body;
    return { document, merchant: merchant?.id };
  }
  const checked = checkWith(PreviewEnvelopeSchema, body, "");
  if ("problems" in checked) throw validationError(checked.problems);
  const { document, merchant: id, provider, series, number, metadata } = checked.output;
  return { document, merchant: id, provider, series, number, metadata };
}

async function printObjects(
  io: ProgramIo,
  previews: AsyncGenerator<Preview>,
  single: string,
  isCut: () => boolean,
): Promise<void> {
  const first = await previews.next();
  if (!first.done && first.value.place.en === single) return printJson(io, first.value.examination.object);
  async function* objects() {
    if (!first.done) yield first.value.examination.object;
    for await (const { examination } of previews) yield examination.object;
  }
  await printJsonList(io, objects(), isCut);
}
