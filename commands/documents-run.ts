/** What `fiscal documents preview`, `list`, `show` and `template` do. */
import type { DocumentStatus, Provider } from "../storage/schema.ts";
import type { CommandContext } from "./context.ts";
import { documentNamed, type NameOptions } from "./document-name.ts";
import { DOCUMENT_COLUMNS, formatAmount, printDocument } from "./document-view.ts";
import { UsageError } from "./exit.ts";
import { isRecord, readJsonInput } from "./input.ts";
import { tell, write } from "./io.ts";
import { type ListOptions, runList as runPagedList } from "./lists.ts";
import { merchantIdOf } from "./merchant-name.ts";
import { choice } from "./options.ts";
import { printJson } from "./ui/json.ts";
import { printFields } from "./ui/table.ts";

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
  const preview = await context.withAppliance((appliance, mode) =>
    previewDocument(appliance, input, { mode, provider }),
  );
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
  const document = await context.withAppliance((appliance, mode) =>
    documentNamed(appliance, mode, name, options),
  );
  await printDocument(context, document);
}

/** `--json` says the format as well as `--format json` does. */
function templateFormat(context: CommandContext, { format }: TemplateOptions): "csv" | "json" {
  const asJson = context.options.json === true;
  if (asJson && format === "csv") throw new UsageError("--json and --format csv contradict each other");
  return asJson ? "json" : (format ?? "csv");
}

/** Needs no appliance: the template is the same everywhere, but for today's date. */
export async function runTemplate(context: CommandContext, options: TemplateOptions): Promise<void> {
  const { DOCUMENT_TYPES } = await import("../src/documents/canonical.ts");
  const type = options.type === undefined ? undefined : choice("--type", DOCUMENT_TYPES)(options.type);
  const { buildTemplate } = await import("../src/documents/template.ts");
  const { createClock } = await import("../src/clock.ts");
  const today = createClock().today();
  await write(context.io.stdout, buildTemplate({ type, format: templateFormat(context, options), today }));
}
