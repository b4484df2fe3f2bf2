/** `fiscal documents show`: one document, with its customer and lines. */
import type { Command } from "commander";
import { readContents } from "../../src/documents/contents.ts";
import type { CommandContext } from "../context.ts";
import type { MerchantOption } from "../merchants/find-merchant.ts";
import { addExamples } from "../options.ts";
import { printDocument } from "./document-view.ts";
import { addReferenceOwnerOption, findDocument } from "./find-document.ts";

export function defineShow(command: Command, context: CommandContext): void {
  addReferenceOwnerOption(command, context).action((name: string, options: MerchantOption) =>
    context.end(show(context, name, options)),
  );
  addExamples(command, context, "fiscal documents show 2026-001", "fiscal documents show doc_… --json");
}

async function show(context: CommandContext, name: string, options: MerchantOption): Promise<void> {
  const { document, contents } = await context.withAppliance(async (appliance, mode) => {
    const found = await findDocument(appliance, mode, name, options);
    return { document: found, contents: (await readContents(appliance, mode, found.id)).object };
  });
  await printDocument(context, document, contents);
}
