/** Table columns and buttons for connections. */
import { TEXTS } from "./messages.ts";
import type { ConnectionObject } from "../../../src/issuing/connection-object.ts";
import { merchantLink } from "./document-parts.ts";
import { timeOf } from "./format.ts";
import { html, type Markup } from "../markup.ts";
import { actionButton, badge, type Column, errorText } from "./parts.ts";
import type { Visit } from "./visit.ts";

export function verifyButton(visit: Visit, { id, provider }: ConnectionObject): Markup {
  const { say } = visit;
  return actionButton(visit, {
    action: `/console/connections/${id}/verify`,
    label: say(TEXTS.verify),
    about: provider,
  });
}

function actions(visit: Visit, connection: ConnectionObject): Markup | undefined {
  if (connection.status === "disconnected") return undefined;
  const { say } = visit;
  return html`<div class="actions">${verifyButton(visit, connection)}<a class="button danger" href="/console/connections/${connection.id}/disconnect">${say(TEXTS.disconnect)}<span class="unseen"> ${connection.provider}</span></a></div>`;
}

/** `names` are the merchants' names by id; undefined on the page of a merchant, which needs no such column. */
export function connectionColumns(
  visit: Visit,
  names: ReadonlyMap<string, string> | undefined,
): Column<ConnectionObject>[] {
  const { say, language } = visit;
  return [
    ...(names === undefined
      ? []
      : [
          {
            head: say(TEXTS.merchant),
            cell: ({ merchant }: ConnectionObject) => merchantLink(merchant, names),
          },
        ]),
    { head: say(TEXTS.provider), cell: ({ provider }) => provider, isFirm: true },
    { head: say(TEXTS.status), cell: ({ status }) => badge(say, status) },
    { head: say(TEXTS.verified), cell: ({ verified_at: at }) => timeOf(language, at) },
    {
      head: say(TEXTS.lastError),
      cell: ({ last_error: error }) => (error === null ? undefined : errorText(say, error)),
    },
    { head: say(TEXTS.created), cell: ({ created }) => timeOf(language, created) },
    { head: say(TEXTS.actions), cell: (connection) => actions(visit, connection) },
  ];
}
