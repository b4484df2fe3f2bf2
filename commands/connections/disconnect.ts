/** The question before a connection is disconnected. */
import { providerName } from "../../src/domain/document-codes.ts";
import { getConnection } from "../../src/connections/connections.ts";
import { listDocuments } from "../../src/documents/list-documents.ts";
import { joinTexts, type Text } from "../../src/foundation/text.ts";
import type { ConnectionObject } from "../../src/issuing/connection-status.ts";
import type { Context } from "../../src/journal/context.ts";
import { getMerchant } from "../../src/merchants/merchants.ts";
import { modeText, questionAbout } from "../confirmation.ts";
import type { Given } from "../verb.ts";

export async function askToDisconnect({ appliance, mode, params }: Given): Promise<Text> {
  const known = await getConnection(appliance, mode, params["id"] ?? "");
  const { name } = await getMerchant(appliance, known.merchant);
  return questionAbout(
    { en: "Disconnect the connection", el: "Να αποσυνδεθεί η σύνδεση" },
    [providerName(known.provider), name, modeText(mode)],
    joinTexts(await describePending(appliance, known), " "),
  );
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
