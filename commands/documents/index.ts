/** `fiscal documents`: the verbs and their flags. What they do is loaded when they run. */
import type { Command } from "commander";
import { DOCUMENT_STATUSES, PROVIDERS } from "../../storage/stored-values.ts";
import { FORMATS } from "./batch/file-format.ts";
import { defineMap } from "./map.ts";
import type { CommandContext } from "../context.ts";
import { defineExport } from "./export/define-export.ts";
import type { NameOptions } from "./find-document.ts";
import type { AbandonOptions, RetryOptions } from "./actions.ts";
import type { PdfOptions } from "./pdf.ts";
import type { DocumentListOptions, TemplateOptions } from "./run.ts";
import type { IssueOptions } from "./issue.ts";
import { withListOptions } from "../lists.ts";
import { choice, day, instant, withExample } from "../options.ts";
import { definePreview } from "./preview/define-preview.ts";

export function defineDocuments(noun: Command, context: CommandContext): void {
  withExample(
    noun,
    "fiscal documents issue documents.csv --merchant shop",
    "fiscal documents list --status rejected",
  );
  defineIssue(noun, context);
  definePreview(noun, context);
  defineReading(noun, context);
  defineActions(noun, context);
  defineExport(noun, context);
  definePdf(noun, context);
  defineTemplate(noun, context);
  defineMap(noun, context);
}

const ISSUE_EXITS = `
A second run of the same files issues nothing twice.
Exit: 2 when a document does not fit or its reference was used for another one (1), 4 when the provider refused one,
5 when one could not be delivered; the worst of all: 2, 3, 1, 4, 5. Otherwise 0.`;

function defineIssue(noun: Command, context: CommandContext): void {
  const command = noun
    .command("issue <file...>")
    .description("issue the documents of files: .json, .ndjson, .csv or .xlsx; - is standard input")
    .option("--merchant <merchant>", "for documents that do not name theirs: id or external id")
    .option(
      "--format <format>",
      `${FORMATS.join(", ")}; otherwise by the name of the file`,
      choice("--format", FORMATS),
    )
    .option("--provider <provider>", "for documents that do not name one", choice("--provider", PROVIDERS))
    .option("--series <series>", "for documents that do not name one")
    .option("--sheet <name>", "the sheet of a workbook; otherwise the first one")
    .option("--map <file>", "TOML: what the columns and values of .csv and .xlsx files mean")
    .option("--remember-map", "keep the map of --map for the merchant's later files")
    .option("--no-map", "read without the map that is remembered for the merchant")
    .option("--dry-run", "check them, and issue nothing")
    .option(
      "--report <file>",
      "write a row for each document (CSV, or a workbook by its name): reference, id, status, series, number, mark, error",
    )
    .option("--no-wait", "end once they are accepted; a server or the next run issues them")
    .addHelpText("after", ISSUE_EXITS)
    .action(async (files: string[], options: IssueOptions) => {
      const { runIssue } = await import("./issue.ts");
      await context.end(runIssue(context, files, options));
    });
  withExample(
    command,
    "fiscal documents issue documents.csv --merchant shop --report report.csv",
    "fiscal documents issue document.json --merchant shop --dry-run",
  );
}

function defineReading(noun: Command, context: CommandContext): void {
  const list = withListOptions(noun.command("list").description("documents, newest first"))
    .option("--merchant <merchant>", "of this merchant: id or external id")
    .option("--status <status>", DOCUMENT_STATUSES.join(", "), choice("--status", DOCUMENT_STATUSES))
    .option("--type <type>", "of this document type, for example 1.1")
    .option("--provider <provider>", "of this provider", choice("--provider", PROVIDERS))
    .option("--mark <mark>", "with this MARK")
    .option("--reference <reference>", "with this external reference")
    .option("--issued-from <day>", "with this issue date or a later one", day("--issued-from"))
    .option("--issued-to <day>", "with this issue date or an earlier one", day("--issued-to"))
    .option("--created-from <instant>", "accepted at or after", instant("--created-from"))
    .option("--created-to <instant>", "accepted at or before", instant("--created-to"))
    .action(async (options: DocumentListOptions) => {
      const { runList } = await import("./run.ts");
      await context.end(runList(context, options));
    });
  withExample(list, "fiscal documents list --status rejected --all --json");
  const show = withMerchant(
    noun.command("show <document>").description("one document, by id or external reference"),
  ).action(async (name: string, options: NameOptions) => {
    const { runShow } = await import("./run.ts");
    await context.end(runShow(context, name, options));
  });
  withExample(show, "fiscal documents show 2026-001", "fiscal documents show doc_… --json");
}

function withMerchant(command: Command): Command {
  return command.option("--merchant <merchant>", "whose reference it is, where several merchants have it");
}

function defineActions(noun: Command, context: CommandContext): void {
  const retry = withMerchant(noun.command("retry <document>").description("send a failed document again"))
    .option("--no-wait", "queue it only; a server or the next run sends it")
    .action(async (name: string, options: RetryOptions) => {
      const { runRetry } = await import("./actions.ts");
      await context.end(runRetry(context, name, options));
    });
  withExample(retry, "fiscal documents retry 2026-014");
  const cancel = withMerchant(
    noun.command("cancel <document>").description("cancel an issued document with the provider"),
  )
    .option("--yes", "do not ask")
    .action(async (name: string, options: NameOptions & { yes?: boolean }) => {
      const { runCancel } = await import("./actions.ts");
      await context.end(runCancel(context, name, options));
    });
  withExample(cancel, "fiscal documents cancel 2026-001 --yes");
  const abandon = withMerchant(
    noun.command("abandon <document>").description("give up a failed document and its number"),
  )
    .option("--reason <text>", "why; it stays on record with the number")
    .option("--yes", "do not ask")
    .action(async (name: string, options: AbandonOptions) => {
      const { runAbandon } = await import("./actions.ts");
      await context.end(runAbandon(context, name, options));
    });
  withExample(abandon, 'fiscal documents abandon 2026-014 --reason "issued on paper" --yes');
}

function definePdf(noun: Command, context: CommandContext): void {
  const pdf = noun
    .command("pdf [document]")
    .description("write the PDF of an issued document, or of every one issued in a range of days")
    .option(
      "--output <file>",
      "where to; - is standard output (default: <series>-<number>.pdf in this folder)",
    )
    .option("--from <day>", "every document with this issue date or a later one", day("--from"))
    .option("--to <day>", "… and this issue date or an earlier one", day("--to"))
    .option("--out <folder>", "the folder for those; files that are there already are skipped")
    .option("--merchant <merchant>", "whose reference it is, or whose documents: id or external id")
    .option("--force", "write over files that are there")
    .action(async (name: string | undefined, options: PdfOptions) => {
      const { runPdf } = await import("./pdf.ts");
      await context.end(runPdf(context, name, options));
    });
  withExample(
    pdf,
    "fiscal documents pdf 2026-001",
    "fiscal documents pdf 2026-001 --output - > invoice.pdf",
    "fiscal documents pdf --from 2026-11-01 --to 2026-11-30 --out november",
  );
}

function defineTemplate(noun: Command, context: CommandContext): void {
  const formats = ["csv", "json"] as const;
  const template = noun
    .command("template")
    .description("print a file to begin from")
    .option("--type <type>", "for this document type, for example 1.1 (a CSV without it has all of them)")
    .option("--format <format>", "csv (default) or json", choice("--format", formats))
    .action(async (options: TemplateOptions) => {
      const { runTemplate } = await import("./run.ts");
      await context.end(runTemplate(context, options));
    });
  withExample(template, "fiscal documents template --type 1.1 > documents.csv");
}
