/** Waits for one queued document unless `--no-wait` is given, and prints it. */
import { readContents } from "../../src/documents/contents.ts";
import { getDocument } from "../../src/documents/list-documents.ts";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import { EXIT, type ExitCode, InterruptedError } from "../exit.ts";
import { listenForInterrupt } from "../io.ts";
import type { Given } from "../verb.ts";
import { printDocument } from "./document-view.ts";
import { timeoutOf, type WaitOptions, waitForDocuments } from "./waiting.ts";

/** Returns the document as it was printed. */
export async function sendQueued(
  { context, appliance, mode }: Pick<Given, "context" | "appliance" | "mode">,
  id: string,
  options: WaitOptions,
  interrupt = listenForInterrupt(context.io),
): Promise<DocumentObject> {
  const { signal } = interrupt;
  try {
    if (options.wait)
      await waitForDocuments(context.io, appliance, mode, {
        documentIds: new Set([id]),
        signal,
        timeoutSeconds: timeoutOf(options),
      });
    if (signal.aborted)
      throw new InterruptedError({
        en: "interrupted: the document is queued; a server or the next run sends it",
        el: "διακόπηκε: το παραστατικό είναι στη σειρά και το στέλνει ένας διακομιστής ή η επόμενη εκτέλεση",
      });
    const document = await getDocument(appliance, mode, id);
    const { notes } = await readContents(appliance, mode, id);
    await printDocument(context, document, { notes });
    return document;
  } finally {
    interrupt.dispose();
  }
}

/** The same for a verb that is made of an operation. Returns its exit code. */
export async function awaitQueued({ id }: DocumentObject, given: Given): Promise<ExitCode> {
  const options = given.flags as unknown as WaitOptions;
  return exitOfDocument(await sendQueued(given, id, options), options.wait);
}

/** The exit code of a command that sends one document (docs/contract.md#exit-codes). */
export function exitOfDocument({ status }: DocumentObject, hasWaited: boolean): ExitCode {
  if (status === "rejected") return EXIT.refused;
  if (status === "failed") return EXIT.unavailable;
  return status === "pending" && hasWaited ? EXIT.unavailable : EXIT.done;
}
