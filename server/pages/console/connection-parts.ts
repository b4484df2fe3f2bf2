/** Table columns and buttons for connections. */
import { providerName } from "../../../src/domain/code-words.ts";
import { TEXTS } from "./messages.ts";
import type { ConnectionObject } from "../../../src/issuing/connection-object.ts";
import { merchantLink } from "./document-parts.ts";
import { timeOf } from "./format.ts";
import { html, type Markup } from "../markup.ts";
import { actionButton, badge, type Column, errorText, formLink } from "./parts.ts";
import type { Visit } from "./visit.ts";

export function verifyButton(visit: Visit, { id, provider }: ConnectionObject): Markup {
  const { translate } = visit;
  return actionButton(visit, {
    action: `/console/connections/${id}/verify`,
    label: translate(TEXTS.verify),
    about: provider,
  });
}

function actions(visit: Visit, connection: ConnectionObject): Markup | undefined {
  if (connection.status === "disconnected") return undefined;
  const { translate } = visit;
  return html`<div class="actions">${verifyButton(visit, connection)}${formLink(visit, `/console/connections/${connection.id}/disconnect`, html`${translate(TEXTS.disconnect)}<span class="unseen"> ${providerName(connection.provider)}</span>`, "button danger")}</div>`;
}

/** `names` are the merchants' names by id; undefined on the page of a merchant, which needs no such column. */
export function connectionColumns(
  visit: Visit,
  names: ReadonlyMap<string, string> | undefined,
): Column<ConnectionObject>[] {
  const { translate, language } = visit;
  return [
    ...(names === undefined
      ? []
      : [
          {
            head: translate(TEXTS.merchant),
            cell: ({ merchant }: ConnectionObject) => merchantLink(merchant, names),
          },
        ]),
    { head: translate(TEXTS.provider), cell: ({ provider }) => providerName(provider), isFirm: true },
    { head: translate(TEXTS.status), cell: ({ status }) => badge(translate, status) },
    { head: translate(TEXTS.verified), cell: ({ verified_at: at }) => timeOf(language, at) },
    {
      head: translate(TEXTS.lastError),
      cell: ({ last_error: error }) => (error === null ? undefined : errorText(translate, error)),
    },
    { head: translate(TEXTS.created), cell: ({ created }) => timeOf(language, created) },
    { head: translate(TEXTS.actions), cell: (connection) => actions(visit, connection) },
  ];
}
