/** Pages of connections: the list, one connection, to verify and disconnect, and the form that connects a merchant to a provider. */
import { TEXTS } from "./messages.ts";
import * as operations from "../../../src/operations/connections.ts";
import { providerName } from "../../../src/domain/document-codes.ts";
import type { CredentialsForm } from "../../../src/domain/credentials-form.ts";
import type { ProviderAdapter } from "../../../src/domain/provider-adapter.ts";
import type { Provider } from "../../../src/domain/vocabulary.ts";
import { AppError } from "../../../src/foundation/errors.ts";
import { joinTexts, sameInBoth, type Text, toText } from "../../../src/foundation/text.ts";
import { getMerchant } from "../../../src/merchants/merchants.ts";
import type { BodyField } from "../../../src/operations/body-fields.ts";
import { EXACTLY_ONE, guideSteps, problemsOfFields, WHERE_TO_FIND } from "../connect/form.ts";
import { html, type Markup } from "../markup.ts";
import { operationAction, operationForm } from "./operation-form.ts";
import { operationList, operationPage, readFacts } from "./operation-pages.ts";
import { actionButton, formLink } from "./parts.ts";
import { get, pathTo, type Route, type Visit } from "./visit.ts";
import type { ConnectionObject } from "../../../src/issuing/connection-status.ts";

const LIST = "/console/connections";

export function verifyButton(
  visit: Visit,
  { id, provider }: Pick<ConnectionObject, "id" | "provider">,
): Markup {
  return actionButton(visit, {
    action: `${LIST}/${id}/verify`,
    label: TEXTS.verify,
    about: providerName(provider),
  });
}

/** To the forms of the providers that take credentials. */
export function connectLinks(visit: Visit, merchant: string): (Markup | undefined)[] {
  const { appliance } = visit;
  return appliance.providers
    .all()
    .filter(({ credentials }) => credentials !== null)
    .map((adapter) => {
      const path = `/console/merchants/${merchant}/connect/${adapter.provider}`;
      return formLink(visit, path, connectTitle(adapter));
    });
}

function connectTitle({ name, provider }: Pick<ProviderAdapter, "name" | "provider">): Text {
  return TEXTS.connectTo(toText(name ?? provider));
}

function adapterOf({ appliance, params }: Visit) {
  const adapter = appliance.providers.find(params["provider"] as Provider);
  if (adapter === undefined || adapter.credentials === null)
    throw new AppError("not_found", TEXTS.notFoundNote);
  const { name, provider, credentials } = adapter;
  return { name, provider, credentials };
}

function credentialFields({ fields, exactlyOneOf = [] }: CredentialsForm): BodyField[] {
  return fields.map(({ name, label, help, secret }) => {
    const hints = [exactlyOneOf.includes(name) && EXACTLY_ONE, help && toText(help)].filter((text) => text);
    return {
      path: ["credentials", name],
      label: toText(label),
      hint: hints.length === 0 ? undefined : joinTexts(hints as Text[], ". "),
      kind: secret ? "secret" : undefined,
    };
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
      actions: (visit) => visit.merchant && connectLinks(visit, visit.merchant.id),
    }),
  ),
  operationPage({
    path: "/connections/:id",
    operation: operations.getConnection,
    title: ({ provider }) => html`${TEXTS.connection} · ${providerName(provider)}`,
    actions: (visit, connection) =>
      connection.status !== "disconnected" &&
      html`<div class="actions">${verifyButton(visit, connection)}${formLink(visit, `${LIST}/${connection.id}/disconnect`, TEXTS.disconnect, "button danger")}</div>`,
  }),
  ...operationForm({
    path: "/merchants/:id/connect/:provider",
    async title(visit) {
      const adapter = adapterOf(visit);
      const { name } = await getMerchant(visit.appliance, visit.params["id"] ?? "");
      return joinTexts([connectTitle(adapter), sameInBoth(name)], " · ");
    },
    operation: operations.createConnection,
    fields: (visit) => credentialFields(adapterOf(visit).credentials),
    isSecret: true,
    fixed: ({ params }) => ({ provider: params["provider"], credentials: {} }),
    problemsOf: (visit, problems) => problemsOfFields(problems, adapterOf(visit).credentials),
    button: TEXTS.checkAndConnect,
    back: (visit) => pathTo(visit, "/merchants/:id"),
    async below(visit) {
      const guide = adapterOf(visit).credentials.guides?.[visit.mode];
      return guide && html`<section><h2>${WHERE_TO_FIND}</h2>${guideSteps(guide)}</section>`;
    },
    done: (_visit, { id, status }) => ({
      kind: "redirect",
      to: `${LIST}/${id}`,
      flash: { code: status === "active" ? "verified" : "refused" },
    }),
  }),
  ...operationAction({
    path: "/connections/:id/verify",
    operation: operations.verifyConnection,
    done: (_visit, { status }) => ({ code: status === "active" ? "verified" : "refused" }),
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
    done: "saved",
  }),
];
