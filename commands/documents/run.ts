/** What `fiscal documents list`, `show` and `template` do. */
import type { DocumentStatus, Provider } from "../../storage/stored-values.ts";
import type { CommandContext } from "../context.ts";
import { documentNamed, type NameOptions } from "./find-document.ts";
import { DOCUMENT_COLUMNS, printDocument } from "./document-view.ts";
import { UsageError } from "../exit.ts";
import { write } from "../io.ts";
import { type ListOptions, runList as runPagedList } from "../lists.ts";
import { merchantIdOf } from "../merchants/find-merchant.ts";
import { choice } from "../options.ts";

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

export async function runList(context: CommandContext, options: DocumentListOptions): Promise<void> {
  const { listDocuments } = await import("../../src/documents/list-documents.ts");
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
  const { DOCUMENT_TYPES } = await import("../../src/domain/canonical-document.ts");
  const type = options.type === undefined ? undefined : choice("--type", DOCUMENT_TYPES)(options.type);
  const { buildTemplate } = await import("../../src/intake/template.ts");
  const { createClock } = await import("../../src/foundation/clock.ts");
  const today = createClock().today();
  await write(context.io.stdout, buildTemplate({ type, format: templateFormat(context, options), today }));
}
