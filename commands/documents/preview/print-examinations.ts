/** Prints the previews of a file, as JSON or for reading. */
import type { AppError } from "../../../src/foundation/errors.ts";
import { joinTexts, type Text } from "../../../src/foundation/text.ts";
import type { Mode } from "../../../src/domain/vocabulary.ts";
import type { CommandContext } from "../../context.ts";
import { EXIT, type ExitCode } from "../../exit.ts";
import { printNote, printProblem, write } from "../../io.ts";
import { printJson, printJsonList } from "../../ui/json.ts";
import type { Preview, PreviewOptions } from "./examine-items.ts";
import { printExamination } from "./preview-view.ts";

/** A person does not read more. */
const LIMIT_DEFAULT = 20;

interface Presentation {
  /** The place of a document that is the whole file. */
  single: string;
  options: PreviewOptions;
  mode: Mode;
}

/** Throws the error of a document that is the whole file. Of several, reports the invalid ones and prints the others. */
export async function printExaminations(
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
