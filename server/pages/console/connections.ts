/** Pages of connections: the list, and one connection, to verify and disconnect. */
import { TEXTS } from "./messages.ts";
import * as operations from "../../../src/operations/connections.ts";
import { providerName } from "../../../src/domain/document-codes.ts";
import { html, type Markup } from "../markup.ts";
import { operationAction } from "./operation-form.ts";
import { operationList, operationPage, readFacts } from "./operation-pages.ts";
import { actionButton, formLink } from "./parts.ts";
import { get, type Route, type Visit } from "./visit.ts";
import type { ConnectionObject } from "../../../src/issuing/connection-status.ts";

const LIST = "/console/connections";

export function verifyButton(
  visit: Visit,
  { id, provider }: Pick<ConnectionObject, "id" | "provider">,
): Markup {
  return actionButton(visit, {
    action: `${LIST}/${id}/verify`,
    label: visit.translate(TEXTS.verify),
    about: providerName(provider),
  });
}

export const CONNECTION_ROUTES: readonly Route[] = [
  get(
    "/connections",
    operationList({
      title: TEXTS.connections,
      operation: operations.listConnections,
      pages: "connections",
      params: ({ merchant }): Record<string, string> => (merchant === undefined ? {} : { id: merchant.id }),
    }),
  ),
  operationPage({
    path: "/connections/:id",
    operation: operations.getConnection,
    title: ({ translate }, { provider }) => `${translate(TEXTS.connection)} · ${providerName(provider)}`,
    actions: (visit, connection) =>
      connection.status !== "disconnected" &&
      html`<div class="actions">${verifyButton(visit, connection)}${formLink(visit, `${LIST}/${connection.id}/disconnect`, visit.translate(TEXTS.disconnect), "button danger")}</div>`,
  }),
  ...operationAction({
    path: "/connections/:id/verify",
    operation: operations.verifyConnection,
    done: (_visit, { status }) => ({ code: status === "active" ? "verified" : "stillInvalid" }),
  }),
  ...operationAction({
    path: "/connections/:id/disconnect",
    operation: operations.disconnectConnection,
    question: {
      title: TEXTS.disconnectQuestion,
      note: TEXTS.disconnectNote,
      button: TEXTS.disconnect,
      about: (visit) => readFacts(visit, operations.getConnection),
    },
    done: "disconnected",
  }),
];
