/** What is done to a document after it was accepted: `fiscal documents retry`, `cancel`, `abandon`. */
import type { DocumentObject } from "../../src/journal/document-object.ts";
import { type CommandContext, causeOf } from "../context.ts";
import { documentNamed, type NameOptions } from "./find-document.ts";
import { printDocument } from "./document-view.ts";
import { EXIT, type ExitCode, InterruptedError } from "../exit.ts";
import { listenForInterrupt, tell } from "../io.ts";
import { tellStranded } from "./stranded.ts";
import { askFor, confirmed } from "../ui/prompt.ts";

export interface RetryOptions extends NameOptions {
  /** False with `--no-wait`. */
  wait: boolean;
}

export interface AbandonOptions extends NameOptions {
  reason?: string;
  yes?: boolean;
}

/** The exit code of a document that was waited for. */
function exitOf(document: DocumentObject, waited: boolean): ExitCode {
  if (document.status === "rejected") return EXIT.refused;
  if (document.status === "failed") return EXIT.unavailable;
  return document.status === "pending" && waited ? EXIT.unavailable : EXIT.done;
}

export async function runRetry(
  context: CommandContext,
  name: string,
  options: RetryOptions,
): Promise<ExitCode> {
  const { retryDocument } = await import("../../src/documents/retry.ts");
  const { getDocument } = await import("../../src/documents/list-documents.ts");
  const interrupt = listenForInterrupt(context.io);
  try {
    const document = await context.withAppliance(async (appliance, mode) => {
      const { id } = await documentNamed(appliance, mode, name, options);
      const queued = await retryDocument(appliance, id, causeOf(mode));
      if (!options.wait) return queued;
      await appliance.startScheduler();
      const { signal } = interrupt;
      const stranded = await appliance.issuing.drain({ documentIds: new Set([id]), signal });
      await tellStranded(context.io, stranded, mode === "live");
      return getDocument(appliance, mode, id);
    });
    if (interrupt.signal.aborted) {
      throw new InterruptedError(
        "interrupted: the document is queued, and a server or the next run sends it",
      );
    }
    await printDocument(context, document);
    return exitOf(document, options.wait);
  } finally {
    interrupt.dispose();
  }
}

export async function runCancel(
  context: CommandContext,
  name: string,
  options: NameOptions & { yes?: boolean },
): Promise<ExitCode> {
  if (
    !(await confirmed(
      context.io,
      options.yes,
      "Cancel this document with the provider? That cannot be taken back.",
    ))
  ) {
    await tell(context.io, "Nothing was changed.");
    return EXIT.failure;
  }
  const { cancelDocument } = await import("../../src/documents/cancel.ts");
  const document = await context.withAppliance(async (appliance, mode) => {
    const { id } = await documentNamed(appliance, mode, name, options);
    return cancelDocument(appliance, id, causeOf(mode));
  });
  await printDocument(context, document);
  return EXIT.done;
}

export async function runAbandon(
  context: CommandContext,
  name: string,
  options: AbandonOptions,
): Promise<ExitCode> {
  const { io } = context;
  const reason = await askFor(io, options.reason, {
    flag: "--reason",
    message: "Why is its number given up?",
  });
  if (!(await confirmed(io, options.yes, "Give up the number of this document? It is never used again."))) {
    await tell(io, "Nothing was changed.");
    return EXIT.failure;
  }
  const { abandonDocument } = await import("../../src/documents/retry.ts");
  const document = await context.withAppliance(async (appliance, mode) => {
    const { id } = await documentNamed(appliance, mode, name, options);
    return abandonDocument(appliance, id, { reason }, causeOf(mode));
  });
  await printDocument(context, document);
  return EXIT.done;
}
