/** What the terminal adds when a provider refused the credentials. */
import { textOfError } from "../../src/foundation/stored-texts.ts";
import { joinTexts, sameInBoth, type Text } from "../../src/foundation/text.ts";
import type { ConnectionObject } from "../../src/issuing/connection-status.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { type ProgramIo, printProblem } from "../io.ts";
import { printable } from "../../src/foundation/characters.ts";
import type { Given } from "../verb.ts";

/** The exit code of a connection whose credentials the provider has just checked: 4 if it refused them. */
export async function reportRefusal(
  connection: ConnectionObject,
  { context: { io } }: Given,
): Promise<ExitCode> {
  if (connection.status !== "invalid") return EXIT.done;
  await printRefusal(io, connection);
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
