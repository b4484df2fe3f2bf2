/** `fiscal documents show --filed`: the XML or JSON that filed a document (docs/contract.md#document-substance). */
import { AppError } from "../../src/foundation/errors.ts";
import type { Text } from "../../src/foundation/text.ts";
import type { Context } from "../../src/journal/context.ts";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import { findFiling } from "../../src/journal/substance.ts";
import type { CommandContext } from "../context.ts";
import { write } from "../io.ts";
import { printJson } from "../ui/json.ts";

/** What was sent to file the document. Throws `invalid_state` with the reason if nothing is stored. */
export async function readFiled(context: Context, document: DocumentObject): Promise<string> {
  const filing = await findFiling(context, document.id);
  if (filing === undefined) throw new AppError("invalid_state", reasonOf(document));
  return filing;
}

function reasonOf({ provider, status }: DocumentObject): Text {
  if (provider === "sandbox") return OF_THE_SANDBOX;
  if (status === "rejected") return REJECTED;
  return status === "issued" ? NOT_SENT_BY_US : NOT_SENT;
}

const OF_THE_SANDBOX: Text = {
  en: "The sandbox files nothing, so nothing was sent for this document",
  el: "Το sandbox δεν διαβιβάζει τίποτα, οπότε δεν στάλθηκε τίποτα για αυτό το παραστατικό",
};
const REJECTED: Text = {
  en: "The document was rejected, so nothing was filed",
  el: "Το παραστατικό απορρίφθηκε, οπότε δεν διαβιβάστηκε τίποτα",
};
const NOT_SENT_BY_US: Text = {
  en: "Nothing is stored of what filed this document",
  el: "Δεν έχει αποθηκευτεί τίποτα από όσα στάλθηκαν για αυτό το παραστατικό",
};
const NOT_SENT: Text = {
  en: "The document has not been sent yet",
  el: "Το παραστατικό δεν έχει σταλεί ακόμη",
};

/** Prints it byte for byte, without a line feed at the end. With `--json` it is the `content` of an object. */
export async function printFiled(
  { io, options }: CommandContext,
  { id }: DocumentObject,
  content: string,
): Promise<void> {
  if (options.json !== true) return write(io.stdout, content);
  const format = content.startsWith("<") ? "xml" : "json";
  await printJson(io, { object: "filing", document: id, format, content });
}
