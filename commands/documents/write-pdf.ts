/** Writes the PDF of a new document. */
import { resolve } from "node:path";
import type { Appliance } from "../../src/appliance.ts";
import { AppError } from "../../src/foundation/errors.ts";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import { getDocumentPdf } from "../../src/paper/document-pdf.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { CommandContext } from "../context.ts";
import { UsageError } from "../exit.ts";
import { printNote, printProblem } from "../io.ts";
import { exists, writePdf } from "./pdf/pdf-file.ts";

/** To this folder. Where that is impossible, says which command does it. */
export async function writePdfHere(
  context: CommandContext,
  appliance: Appliance,
  mode: Mode,
  document: DocumentObject,
): Promise<void> {
  const { io } = context;
  if (context.options.json === true) return;
  try {
    const { fileName, bytes } = await getDocumentPdf(appliance, mode, document.id);
    const path = resolve(io.cwd, fileName);
    if (await exists(path)) return await printPdfCommand(context, mode, document.id);
    await writePdf(path, fileName, bytes);
    await printNote(io, { en: `Its PDF: ${path}`, el: `Το PDF του: ${path}` });
  } catch (error) {
    if (!(error instanceof AppError) && !(error instanceof UsageError)) throw error;
    await printProblem(io, error.text);
    await printPdfCommand(context, mode, document.id);
  }
}

/** The command that writes the PDF. */
async function printPdfCommand({ io }: CommandContext, mode: Mode, id: string): Promise<void> {
  const command = `${mode === "live" ? "fiscal --live" : "fiscal"} documents pdf ${id}`;
  await printNote(io, { en: `Its PDF: ${command}`, el: `Το PDF του: ${command}` });
}
