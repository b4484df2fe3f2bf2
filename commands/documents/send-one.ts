/** Queues one document, waits for it unless `--no-wait` is given, and prints it. */
import type { Appliance } from "../../src/appliance.ts";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import type { Mode } from "../../src/domain/vocabulary.ts";
import type { CommandContext } from "../context.ts";
import { InterruptedError } from "../exit.ts";
import { listenForInterrupt } from "../io.ts";
import { printDocument } from "./document-view.ts";
import { timeoutOf, type WaitOptions, waitForDocuments } from "./waiting.ts";

/** `queue` returns the id of the document. Returns the document as it was printed. */
export async function sendOne(
  context: CommandContext,
  options: WaitOptions,
  queue: (appliance: Appliance, mode: Mode) => Promise<string>,
): Promise<DocumentObject> {
  const timeoutSeconds = timeoutOf(options);
  const { getDocument } = await import("../../src/documents/list-documents.ts");
  const { readContents } = await import("../../src/documents/contents.ts");
  const interrupt = listenForInterrupt(context.io);
  try {
    const { document, notes } = await context.withAppliance(async (appliance, mode) => {
      const id = await queue(appliance, mode);
      if (options.wait)
        await waitForDocuments(context.io, appliance, mode, {
          documentIds: new Set([id]),
          signal: interrupt.signal,
          timeoutSeconds,
        });
      const { notes: found } = await readContents(appliance, mode, id);
      return { document: await getDocument(appliance, mode, id), notes: found };
    });
    if (interrupt.signal.aborted)
      throw new InterruptedError({
        en: "interrupted: the document is queued; a server or the next run sends it",
        el: "διακόπηκε: το παραστατικό είναι στη σειρά και το στέλνει ένας διακομιστής ή η επόμενη εκτέλεση",
      });
    await printDocument(context, document, { notes });
    return document;
  } finally {
    interrupt.dispose();
  }
}
