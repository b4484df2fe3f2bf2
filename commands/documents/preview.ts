/** `fiscal documents preview`: shows what would be sent, without sending or storing anything. */
import { type Mode, type Provider, PROVIDERS } from "../../src/domain/vocabulary.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { isRecord, nameOf } from "../input.ts";
import { printNote, printProblem, write } from "../io.ts";
import { joinTexts, type Text } from "../../src/foundation/text.ts";
import { NO_FOREIGN_NAMES } from "../../src/intake/table-columns.ts";
import { findMerchant, type MerchantOption } from "../merchants/find-merchant.ts";
import { choice, integer } from "../options.ts";
import { chooseNames, FILE_FLAGS, type MapOptions, readMapFile } from "./batch/batch-map.ts";
import { type Format, hasTable } from "./batch/file-format.ts";
import { type Reading, readItems } from "./batch/read-files.ts";
import { verb } from "../define.ts";
import type { Appliance } from "../../src/appliance.ts";
import { checkDocument } from "../../src/documents/accept.ts";
import { type Examination, examineDocument } from "../../src/documents/preview.ts";
import { PreviewEnvelopeSchema } from "../../src/domain/issue-body.ts";
import { AppError, validationError } from "../../src/foundation/errors.ts";
import { checkWith } from "../../src/foundation/validation.ts";
import type { MerchantObject } from "../../src/merchants/merchant-object.ts";
import type { BatchItem } from "../../src/intake/accept-items.ts";
import { printJson, printJsonList } from "../ui/json.ts";
import { printExamination } from "./preview/preview-view.ts";

const LIMIT_MAX = 100_000;

const NOTES: Text = {
  en: `FILE has the canonical document itself, a body that has it under document, or several: .json, .ndjson, .csv, .xlsx.
Exit: 2 if a document is invalid. --json prints the API's object, or a list for several documents.`,
  el: `Το FILE έχει το ίδιο το παραστατικό, ένα σώμα που το έχει στο document, ή πολλά: .json, .ndjson, .csv, .xlsx.
Κωδικός εξόδου: 2 όταν ένα παραστατικό δεν είναι σωστό. Η --json τυπώνει το αντικείμενο του API, ή λίστα όταν είναι πολλά.`,
};

export const definePreview = verb({
  flags: {
    "--provider <provider>": {
      en: "in the format of this provider",
      el: "στη μορφή αυτού του παρόχου",
      read: choice(PROVIDERS),
    },
    "--merchant <merchant>": {
      en: "merchant, if the file does not name one: id or external id",
      el: "ποιος το εκδίδει, όταν δεν το λέει το αρχείο: id ή εξωτερικό id",
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
  },
  notes: NOTES,
  examples: [
    "fiscal documents preview document.json --payload",
    "fiscal documents preview documents.csv --merchant shop --limit 3",
  ],
  run: previewFile,
});

async function previewFile(
  context: CommandContext,
  file: string,
  options: PreviewOptions,
): Promise<ExitCode> {
  const { io } = context;
  const given = typeof options.map === "string" ? await readMapFile(io, options.map) : undefined;
  const isTable = hasTable([file], options.format);
  const notes: Text[] = [];
  return context.interruptible(async (appliance, mode, signal) => {
    const merchant =
      options.merchant === undefined ? undefined : await findMerchant(appliance, options.merchant);
    const readsTable = isTable && merchant !== undefined;
    const tables = { files: [file], format: options.format, sheet: options.sheet };
    const names = readsTable
      ? await chooseNames(io, appliance, merchant, { ...options, given, tables })
      : NO_FOREIGN_NAMES;
    if (names === undefined) return EXIT.failure;
    const reading: Reading = {
      format: options.format,
      defaults: { merchant },
      names,
      sheet: options.sheet,
      today: appliance.clock.today(),
      signal: signal,
      note: (text) => void notes.push(text),
      onBytes: () => undefined,
    };
    const items = readItems(io, file, reading);
    const previews = examineItems(appliance, mode, items, { options, merchant });
    const exitCode = await printExaminations(context, previews, { single: nameOf(file).en, options, mode });
    for (const note of notes) await printNote(io, note);
    return exitCode;
  });
}

export interface PreviewOptions extends Pick<MapOptions, "map" | "column" | "default">, MerchantOption {
  sheet?: string;
  provider?: Provider;
  format?: Format;
  payload?: boolean;
  limit?: number;
}

/** A document that can be previewed. */
export interface Preview {
  place: Text;
  reference: string | null;
  examination: Examination;
  /** Why issuing would refuse it; undefined if it would be accepted. */
  refusal: AppError | undefined;
}

async function* examineItems(
  appliance: Appliance,
  mode: Mode,
  items: AsyncIterable<BatchItem>,
  given: { options: PreviewOptions; merchant: MerchantObject | undefined },
): AsyncGenerator<Preview | { place: Text; error: AppError }> {
  for await (const item of items) {
    const { place, reference } = item;
    try {
      if ("error" in item) throw item.error;
      const { document, ...around } = unwrap(item.body, given.merchant);
      const provider = given.options.provider ?? around.provider;
      const examination = await examineDocument(appliance, document, { ...around, mode, provider });
      const refusal = await findRefusal(appliance, mode, { document, ...around, provider });
      yield { place, reference, examination, refusal };
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "internal_error") throw error;
      yield { place, error };
    }
  }
}

/** The error with which accepting would refuse the document; none if no merchant is known. */
async function findRefusal(
  appliance: Appliance,
  mode: Mode,
  body: Readonly<Record<string, unknown>>,
): Promise<AppError | undefined> {
  if (body["merchant"] === undefined) return undefined;
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  try {
    await checkDocument(appliance, given, mode);
    return undefined;
  } catch (error) {
    if (error instanceof AppError && error.code !== "internal_error") return error;
    throw error;
  }
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

/** A person does not read more. */
const LIMIT_DEFAULT = 20;

interface Presentation {
  /** The place of a document that is the whole file. */
  single: string;
  options: PreviewOptions;
  mode: Mode;
}

/** Throws the error of a document that is the whole file. Of several, reports the invalid ones and prints the others. */
async function printExaminations(
  context: CommandContext,
  previews: AsyncIterable<Preview | { place: Text; error: AppError }>,
  { single, options, mode }: Presentation,
): Promise<ExitCode> {
  const { io } = context;
  const isJson = context.options.json === true;
  const limit = options.limit ?? (isJson ? Number.POSITIVE_INFINITY : LIMIT_DEFAULT);
  let printed = 0;
  let invalid = 0;
  let wouldBeRefused = false;
  let isCut = false;
  async function* valid(): AsyncGenerator<Preview> {
    for await (const preview of previews) {
      if (printed + invalid >= limit) {
        isCut = true;
        return;
      }
      const { place } = preview;
      if ("error" in preview) {
        if (place.en === single) throw preview.error;
        invalid += 1;
        await printProblem(io, joinTexts([place, preview.error.text], ": "));
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
  if (isJson) await printObjects(context, valid(), single, () => isCut);
  else {
    for await (const { place, reference, examination } of valid()) {
      if (printed > 1) await write(io.stdout, "\n");
      await printExamination(io, examination, { place, reference, mode, payload: options.payload === true });
    }
  }
  if (isCut)
    await printNote(io, {
      en: `There are more documents: to see them, set --limit above ${limit}.`,
      el: `Υπάρχουν κι άλλα παραστατικά: για να τα δείτε, ορίστε --limit πάνω από ${limit}.`,
    });
  return invalid === 0 && !wouldBeRefused ? EXIT.done : EXIT.usage;
}

const WOULD_BE_REFUSED: Text = { en: "issuing would refuse this", el: "δεν θα μπορούσε να εκδοθεί" };

async function printObjects(
  context: CommandContext,
  previews: AsyncGenerator<Preview>,
  single: string,
  isCut: () => boolean,
): Promise<void> {
  const first = await previews.next();
  if (!first.done && first.value.place.en === single)
    return printJson(context.io, first.value.examination.object);
  async function* objects() {
    if (!first.done) yield first.value.examination.object;
    for await (const { examination } of previews) yield examination.object;
  }
  await printJsonList(context.io, objects(), isCut);
}
