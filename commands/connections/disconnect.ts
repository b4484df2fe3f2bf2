/** `fiscal connections disconnect`: stops using a connection. */
import type { Command } from "commander";
import { disconnectConnection, getConnection } from "../../src/connections/connections.ts";
import { listDocuments } from "../../src/documents/list-documents.ts";
import { joinTexts, type Text } from "../../src/foundation/text.ts";
import type { ConnectionObject } from "../../src/issuing/connection-object.ts";
import type { Context } from "../../src/journal/context.ts";
import { addYesOption, confirmChange, type YesOption } from "../confirmation.ts";
import { type CommandContext, causeOf } from "../context.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { addExamples } from "../options.ts";
import { printConnection } from "./connection-view.ts";

export function defineDisconnect(command: Command, context: CommandContext): void {
  addYesOption(command, context).action((id: string, options: YesOption) =>
    context.end(disconnect(context, id, options)),
  );
  addExamples(command, context, "fiscal connections disconnect con_… --yes");
}

async function disconnect(context: CommandContext, id: string, options: YesOption): Promise<ExitCode> {
  const connection = await context.withAppliance(async (appliance, mode) => {
    const known = await getConnection(appliance, mode, id);
    const question = {
      en: `Disconnect this connection to ${known.provider}?`,
      el: `Να αποσυνδεθεί αυτή η σύνδεση με ${known.provider};`,
    };
    const pending = options.yes === true ? [] : await describePending(appliance, known);
    const isConfirmed = await confirmChange(context, options, joinTexts([question, ...pending], " "));
    return isConfirmed ? disconnectConnection(appliance, id, causeOf(mode)) : undefined;
  });
  if (connection === undefined) return EXIT.failure;
  await printConnection(context, connection);
  return EXIT.done;
}

/** Only this many are counted. */
const PENDING_MAX = 100;

/** A sentence about the merchant's documents that wait for this provider; none if there are none. */
async function describePending(appliance: Context, connection: ConnectionObject): Promise<Text[]> {
  const { merchant, provider, mode } = connection;
  const filters = { merchant, provider, status: "pending" as const };
  const { data, has_more: hasMore } = await listDocuments(appliance, mode, {
    limit: PENDING_MAX,
    ...filters,
  });
  if (data.length === 0) return [];
  if (data.length === 1 && !hasMore)
    return [
      {
        en: "One document of the merchant is still pending there.",
        el: "Εκεί εκκρεμεί ένα παραστατικό της επιχείρησης.",
      },
    ];
  return [
    {
      en: `${hasMore ? "More than " : ""}${data.length} documents of the merchant are still pending there.`,
      el: `Εκεί εκκρεμούν ${hasMore ? "πάνω από " : ""}${data.length} παραστατικά της επιχείρησης.`,
    },
  ];
}
