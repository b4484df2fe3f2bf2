/** Connections as tables and fields. */
import { textOfError } from "../../src/foundation/stored-texts.ts";
import { joinTexts, sameInBoth, type Text } from "../../src/foundation/text.ts";
import type { ConnectionObject } from "../../src/issuing/connection-object.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { type ProgramIo, printProblem } from "../io.ts";
import { printObject } from "../results.ts";
import { errorRows } from "../../src/operations/view.ts";
import { printable } from "../ui/printable.ts";
import type { Column } from "../../src/operations/view.ts";
import { instantText, optionalInstantText } from "../../src/operations/values.ts";
import { wordText } from "../../src/operations/words.ts";

export const CONNECTION_COLUMNS: readonly Column<ConnectionObject>[] = [
  { head: "id", value: (connection) => connection.id },
  { head: { en: "merchant", el: "επιχείρηση" }, value: (connection) => connection.merchant },
  { head: { en: "provider", el: "πάροχος" }, value: (connection) => connection.provider },
  { head: { en: "status", el: "κατάσταση" }, value: (connection) => wordText(connection.status) },
  {
    head: { en: "verified", el: "ελέγχθηκε" },
    leaveOut: 2,
    value: (connection) => optionalInstantText(connection.verified_at),
  },
  {
    head: { en: "created", el: "δημιουργία" },
    leaveOut: 1,
    value: (connection) => instantText(connection.created),
  },
];

export function printConnection(context: CommandContext, connection: ConnectionObject): Promise<void> {
  return printObject(context, connection, [
    ["id", connection.id],
    [{ en: "status", el: "κατάσταση" }, wordText(connection.status)],
    [{ en: "merchant", el: "επιχείρηση" }, connection.merchant],
    [{ en: "provider", el: "πάροχος" }, `${connection.provider} (${connection.mode})`],
    [{ en: "verified", el: "ελέγχθηκε" }, optionalInstantText(connection.verified_at)],
    [{ en: "created", el: "δημιουργία" }, instantText(connection.created)],
    ...errorRows(connection.last_error, { en: "last error", el: "τελευταίο σφάλμα" }),
  ]);
}

/** Prints a connection whose credentials the provider has just checked. Returns 4 if it refused them. */
export async function printVerified(
  context: CommandContext,
  connection: ConnectionObject,
): Promise<ExitCode> {
  await printConnection(context, connection);
  if (connection.status !== "invalid") return EXIT.done;
  await printRefusal(context.io, connection);
  return EXIT.refused;
}

async function printRefusal(io: ProgramIo, { id, last_error: error }: ConnectionObject): Promise<void> {
  const refused = {
    en: "The provider refused the credentials",
    el: "Ο πάροχος αρνήθηκε τα διαπιστευτήρια",
  };
  await printProblem(io, error === null ? refused : joinTexts([refused, reasonText(error)], ": "));
  await printProblem(io, {
    en:
      `Nothing is sent through this connection. When the provider accepts the credentials: fiscal connections verify ${id}\n` +
      `To use other credentials: fiscal connections disconnect ${id}, then add it again.`,
    el:
      `Τίποτα δεν στέλνεται από αυτή τη σύνδεση. Όταν ο πάροχος δεχτεί τα διαπιστευτήρια: fiscal connections verify ${id}\n` +
      `Με άλλα διαπιστευτήρια: fiscal connections disconnect ${id}, και προσθέστε την ξανά.`,
  });
}

/** The provider's own words if there are any. */
function reasonText(error: NonNullable<ConnectionObject["last_error"]>): Text {
  const { provider_message: words } = error;
  return words === null ? textOfError(error) : sameInBoth(printable(words));
}
