/** What the verbs of `fiscal documents` do, but for `issue`. */
import type { Context } from "../src/context.ts";
import type { DocumentObject } from "../src/documents/object.ts";
import { AppError } from "../src/errors.ts";
import type { DocumentStatus, Mode, Provider } from "../storage/schema.ts";
import { type CommandContext, causeOf } from "./context.ts";
import { DOCUMENT_COLUMNS, formatAmount, printDocument } from "./document-view.ts";
import { EXIT, type ExitCode, InterruptedError, UsageError } from "./exit.ts";
import { isRecord, readJsonInput } from "./input.ts";
import { listenForInterrupt, tell, write } from "./io.ts";
import { type ListOptions, runList as runPagedList } from "./lists.ts";
import { merchantIdOf } from "./merchant-name.ts";
import { choice } from "./options.ts";
import { printJson } from "./ui/json.ts";
import { askFor, confirmed } from "./ui/prompt.ts";
import { printFields } from "./ui/table.ts";

export interface NameOptions {
  merchant?: string;
}

export interface RetryOptions extends NameOptions {
  /** False with `--no-wait`. */
  wait: boolean;
}

export interface AbandonOptions extends NameOptions {
  reason?: string;
  yes?: boolean;
}

export interface TemplateOptions {
  type?: string;
  format?: "csv" | "json";
}

export interface DocumentListOptions extends ListOptions {
  merchant?: string;
  status?: DocumentStatus;
  type?: string;
  provider?: Provider;
  mark?: string;
  reference?: string;
  issuedFrom?: string;
  issuedTo?: string;
  createdFrom?: string;
  createdTo?: string;
}

const DOCUMENT_ID = /^doc_[0-9A-Za-z]{22}$/;

/** The document that `name` names: its id, or the external reference that one document has. Throws `not_found`. */
async function documentNamed(context: Context, mode: Mode, name: string, options: NameOptions): Promise<DocumentObject> {
  const { getDocument, findDocumentByReference, listDocuments } = await import("../src/documents/documents.ts");
  if (DOCUMENT_ID.test(name)) return getDocument(context, mode, name);
  const merchantId = await merchantIdOf(context, options.merchant);
  if (merchantId !== undefined) {
    const found = await findDocumentByReference(context, mode, merchantId, name);
    if (found !== undefined) return found;
    throw new AppError("not_found", "The merchant has no document with this id or external reference in this mode");
  }
  const { data } = await listDocuments(context, mode, { limit: 2, external_reference: name });
  const [found] = data;
  if (found === undefined) throw new AppError("not_found", "There is no document with this id or external reference");
  if (data.length > 1) throw new UsageError("several documents have this reference: add --merchant, or give the id");
  return found;
}

/** FILE holds the canonical document itself, or a body that has it under `document`. */
export async function runPreview(
  context: CommandContext,
  file: string,
  provider: Provider | undefined,
): Promise<void> {
  const { io } = context;
  const content = await readJsonInput(io, file);
  const input = isRecord(content) && "document" in content ? content["document"] : content;
  const { previewDocument } = await import("../src/documents/preview.ts");
  const preview = await context.withAppliance((appliance, mode) => previewDocument(appliance, input, { mode, provider }));
  if (context.options.json === true) return printJson(io.stdout, preview);
  await printFields(io, [
    ["provider", preview.provider],
    ["type", preview.type],
    ["net", formatAmount(preview.totals.net)],
    ["vat", formatAmount(preview.totals.vat)],
    ["gross", formatAmount(preview.totals.gross)],
  ]);
  await write(io.stdout, `${JSON.stringify(preview.payload, null, 2)}\n`);
  for (const warning of preview.classification.warnings) await tell(io, `warning: ${warning}`);
}

export async function runList(context: CommandContext, options: DocumentListOptions): Promise<void> {
  const { listDocuments } = await import("../src/documents/documents.ts");
  await context.withAppliance(async (appliance, mode) => {
    const filters = {
      merchant: await merchantIdOf(appliance, options.merchant),
      status: options.status,
      type: options.type,
      provider: options.provider,
      mark: options.mark,
      external_reference: options.reference,
      "issue_date[gte]": options.issuedFrom,
      "issue_date[lte]": options.issuedTo,
      "created[gte]": options.createdFrom,
      "created[lte]": options.createdTo,
    };
    await runPagedList(context, options, {
      plural: "documents",
      columns: DOCUMENT_COLUMNS,
      fetch: (page) => listDocuments(appliance, mode, { ...filters, ...page }),
    });
  });
}

export async function runShow(context: CommandContext, name: string, options: NameOptions): Promise<void> {
  const document = await context.withAppliance((appliance, mode) => documentNamed(appliance, mode, name, options));
  await printDocument(context, document);
}

/** The exit code of a document that was waited for. */
function exitOf(document: DocumentObject, waited: boolean): ExitCode {
  if (document.status === "rejected") return EXIT.refused;
  if (document.status === "failed") return EXIT.unavailable;
  return document.status === "pending" && waited ? EXIT.unavailable : EXIT.done;
}

export async function runRetry(context: CommandContext, name: string, options: RetryOptions): Promise<ExitCode> {
  const { retryDocument } = await import("../src/documents/actions.ts");
  const { getDocument } = await import("../src/documents/documents.ts");
  const interrupt = listenForInterrupt(context.io);
  try {
    const document = await context.withAppliance(async (appliance, mode) => {
      const { id } = await documentNamed(appliance, mode, name, options);
      const queued = await retryDocument(appliance, id, causeOf(mode));
      if (!options.wait) return queued;
      await appliance.startScheduler();
      await appliance.issuing.drain({ documentIds: new Set([id]), signal: interrupt.signal });
      return getDocument(appliance, mode, id);
    });
    if (interrupt.signal.aborted) {
      throw new InterruptedError("interrupted: the document is queued, and a server or the next run sends it");
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
  if (!(await confirmed(context.io, options.yes, "Cancel this document with the provider? That cannot be taken back."))) {
    await tell(context.io, "Nothing was changed.");
    return EXIT.failure;
  }
  const { cancelDocument } = await import("../src/documents/cancel.ts");
  const document = await context.withAppliance(async (appliance, mode) => {
    const { id } = await documentNamed(appliance, mode, name, options);
    return cancelDocument(appliance, id, causeOf(mode));
  });
  await printDocument(context, document);
  return EXIT.done;
}

export async function runAbandon(context: CommandContext, name: string, options: AbandonOptions): Promise<ExitCode> {
  const { io } = context;
  const reason = await askFor(io, options.reason, { flag: "--reason", message: "Why is its number given up?" });
  if (!(await confirmed(io, options.yes, "Give up the number of this document? It is never used again."))) {
    await tell(io, "Nothing was changed.");
    return EXIT.failure;
  }
  const { abandonDocument } = await import("../src/documents/actions.ts");
  const document = await context.withAppliance(async (appliance, mode) => {
    const { id } = await documentNamed(appliance, mode, name, options);
    return abandonDocument(appliance, id, { reason }, causeOf(mode));
  });
  await printDocument(context, document);
  return EXIT.done;
}

/** Needs no appliance: the template is the same everywhere, but for today's date. */
export async function runTemplate(context: CommandContext, options: TemplateOptions): Promise<void> {
  const { DOCUMENT_TYPES } = await import("../src/documents/canonical.ts");
  const type = options.type === undefined ? undefined : choice("--type", DOCUMENT_TYPES)(options.type);
  const { buildTemplate } = await import("../src/documents/template.ts");
  const { createClock } = await import("../src/clock.ts");
  const today = createClock().today();
  await write(context.io.stdout, buildTemplate({ type, format: options.format ?? "csv", today }));
}
