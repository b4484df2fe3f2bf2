/** What `fiscal documents preview` does. */
import type { Appliance } from "../../../src/appliance.ts";
import { checkDocument } from "../../../src/documents/accept.ts";
import { PreviewEnvelopeSchema } from "../../../src/domain/issue-body.ts";
import { type Examination, examineDocument } from "../../../src/documents/preview.ts";
import { AppError, validationError } from "../../../src/foundation/errors.ts";
import type { MerchantObject } from "../../../src/merchants/merchant-object.ts";
import { checkWith } from "../../../src/foundation/validation.ts";
import type { Mode, Provider } from "../../../storage/stored-values.ts";
import { type Format, hasTable } from "../batch/file-format.ts";
import { type MapOptions, namesFor, readMapFile } from "../batch/batch-map.ts";
import type { BatchItem, Reading } from "../batch/reading.ts";
import { readItems } from "../batch/source.ts";
import type { CommandContext } from "../../context.ts";
import { EXIT, type ExitCode } from "../../exit.ts";
import { isRecord, nameOf } from "../../input.ts";
import { listenForInterrupt, tell, tellTrouble, write } from "../../io.ts";
import { findMerchant } from "../../merchants/find-merchant.ts";
import { printJson, printJsonList } from "../../ui/json.ts";
import { printExamination } from "./preview-view.ts";

export interface PreviewOptions extends Pick<MapOptions, "map"> {
  sheet?: string;
  provider?: Provider;
  merchant?: string;
  format?: Format;
  payload?: boolean;
  limit?: number;
}

/** As many documents as a person still looks at. */
const SHOWN_DEFAULT = 20;

/** A document that fits; `place` is where it stands in the file. */
interface Fitting {
  place: string;
  reference: string | null;
  examination: Examination;
  /** Why it would not be accepted as it stands, though it can be shown; undefined where it would. */
  refusal: AppError | undefined;
}
type Looked = Fitting | { place: string; error: AppError };

export async function runPreview(
  context: CommandContext,
  file: string,
  options: PreviewOptions,
): Promise<ExitCode> {
  const { io } = context;
  const given = typeof options.map === "string" ? await readMapFile(io, options.map) : undefined;
  const isTable = hasTable([file], options.format);
  const notes: string[] = [];
  const interrupt = listenForInterrupt(io);
  try {
    return await context.withAppliance(async (appliance, mode) => {
      const merchant =
        options.merchant === undefined ? undefined : await findMerchant(appliance, options.merchant);
      const reading: Reading = {
        format: options.format,
        defaults: { merchant },
        // As they would be issued: with the map that is named, or remembered for the merchant.
        names:
          isTable && merchant !== undefined
            ? await namesFor(io, appliance, merchant, given, options)
            : undefined,
        sheet: options.sheet,
        today: appliance.clock.today(),
        signal: interrupt.signal,
        note: (line) => void notes.push(line),
        onBytes: () => undefined,
      };
      const items = readItems(io, file, reading);
      const looks = lookAt(appliance, mode, items, { options, merchant });
      const exitCode = await present(context, looks, { single: nameOf(file), options, mode });
      for (const line of notes) await tell(io, line);
      return exitCode;
    });
  } finally {
    interrupt.dispose();
  }
}

async function* lookAt(
  appliance: Appliance,
  mode: Mode,
  items: AsyncIterable<BatchItem>,
  given: { options: PreviewOptions; merchant: MerchantObject | undefined },
): AsyncGenerator<Looked> {
  for await (const item of items) {
    const { place, reference } = item;
    try {
      if ("error" in item) throw new AppError(item.error.code, item.error.message);
      const { document, ...around } = unwrap(item.body, given.merchant);
      const provider = given.options.provider ?? around.provider;
      const examination = await examineDocument(appliance, document, { ...around, mode, provider });
      const refusal = await refusalOf(appliance, mode, { document, ...around, provider });
      yield { place, reference, examination, refusal };
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "internal_error") throw error;
      yield { place, error };
    }
  }
}

/** What accepting would say of it, where somebody is named who issues it. */
async function refusalOf(
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

/** The document, and what its body says of how it is to be issued. Throws `validation_failed`. */
function unwrap(body: unknown, merchant: MerchantObject | undefined) {
  if (!isRecord(body) || !("document" in body)) {
    // The reading of files adds the merchant that was named to whatever the file holds.
    const { merchant: _added, ...bare } = isRecord(body) ? body : {};
    const document = isRecord(body) && merchant !== undefined ? bare : body;
    return { document, merchant: merchant?.id };
  }
  const checked = checkWith(PreviewEnvelopeSchema, body, "");
  if ("problems" in checked) throw validationError(checked.problems);
  const { document, merchant: id, provider, series, number } = checked.output;
  return { document, merchant: id, provider, series, number };
}

interface Presentation {
  /** The place of a document that is the whole file. */
  single: string;
  options: PreviewOptions;
  mode: Mode;
}

/** A file that is one document fails as a whole; of several, those that do not fit are named, and the others shown. */
async function present(
  context: CommandContext,
  looks: AsyncIterable<Looked>,
  { single, options, mode }: Presentation,
): Promise<ExitCode> {
  const { io } = context;
  const asJson = context.options.json === true;
  const limit = options.limit ?? (asJson ? Number.POSITIVE_INFINITY : SHOWN_DEFAULT);
  let shown = 0;
  let refused = 0;
  let wouldBeRefused = false;
  let isCut = false;
  async function* fitting(): AsyncGenerator<Fitting> {
    for await (const look of looks) {
      if (shown + refused >= limit) {
        isCut = true;
        return;
      }
      if ("error" in look) {
        if (look.place === single) throw look.error;
        refused += 1;
        await tellTrouble(io, `${look.place}: ${look.error.message}`);
        continue;
      }
      shown += 1;
      if (look.refusal !== undefined) {
        wouldBeRefused = true;
        await tell(io, `${look.place}: issuing would refuse this: ${look.refusal.message}`);
      }
      yield look;
    }
  }
  if (asJson) await printObjects(context, fitting(), single, () => isCut);
  else {
    for await (const { place, reference, examination } of fitting()) {
      if (shown > 1) await write(io.stdout, "\n");
      await printExamination(io, examination, { place, reference, mode, payload: options.payload === true });
    }
  }
  if (isCut) await tell(io, `There are more documents: --limit takes more than ${limit}.`);
  return refused === 0 && !wouldBeRefused ? EXIT.done : EXIT.usage;
}

async function printObjects(
  context: CommandContext,
  looks: AsyncGenerator<Fitting>,
  single: string,
  isCut: () => boolean,
): Promise<void> {
  const first = await looks.next();
  if (!first.done && first.value.place === single)
    return printJson(context.io.stdout, first.value.examination.object);
  async function* objects() {
    if (!first.done) yield first.value.examination.object;
    for await (const { examination } of looks) yield examination.object;
  }
  await printJsonList(context.io.stdout, objects(), isCut);
}
