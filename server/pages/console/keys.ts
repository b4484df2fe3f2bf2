/** Pages of the API keys of the session's mode, where the operator allows them: `[console] manage_keys`. */
import { listKeys as listAll, type mintKey } from "../../../src/keys/api-keys.ts";
import { fieldsOfVerb } from "../../../src/operations/body-fields.ts";
import { createKey, listKeys, revokeKey } from "../../../src/operations/keys.ts";
import { LABELS } from "../../../src/operations/view.ts";
import { html, type Markup } from "../markup.ts";
import { TEXTS } from "./messages.ts";
import { operationAction, operationForm } from "./operation-form.ts";
import { viewColumns } from "./operation-pages.ts";
import { type Column, formLink, tableOrEmpty, termList } from "./parts.ts";
import { notFoundPage } from "./problems.ts";
import { get, type Reply, type Route, type Visit } from "./visit.ts";

const LIST = "/console/keys";

async function keysOf({ appliance, mode }: Visit) {
  return (await listAll(appliance)).filter((key) => key.mode === mode);
}

async function keysPage(visit: Visit): Promise<Reply> {
  const { none, columns } = listKeys.table!;
  const actions: Column<Awaited<ReturnType<typeof keysOf>>[number]> = {
    head: TEXTS.actions,
    cell: ({ id, name, revoked_at: revoked }) =>
      revoked === null &&
      formLink(
        visit,
        `${LIST}/${id}/revoke`,
        html`${TEXTS.revoke}<span class="unseen"> ${name}</span>`,
        "button danger",
      ),
  };
  const shown = [...viewColumns(visit, columns, { without: [LABELS.mode] }), actions];
  const title = TEXTS.keys;
  return {
    kind: "page",
    title,
    content: html`<div class="actions">${formLink(visit, `${LIST}/new`, TEXTS.newKey, "button primary")}</div><section class="listing">${tableOrEmpty(none, title, shown, await keysOf(visit))}</section>`,
  };
}

/** The key of the address, if it is of the session's mode. */
async function keyOf(visit: Visit) {
  return (await keysOf(visit)).find(({ id }) => id === visit.params["id"]);
}

async function keyTerms(visit: Visit): Promise<Markup> {
  const { name, last4 } = (await keyOf(visit))!;
  return termList([[TEXTS.name, `${name} (…${last4})`]]);
}

const ROUTES: readonly Route[] = [
  get("/keys", keysPage),
  ...operationForm({
    path: "/keys/new",
    title: TEXTS.newKey,
    operation: createKey,
    fields: fieldsOfVerb(createKey).filter(({ path: [name] }) => name !== "mode"),
    fixed: ({ mode }) => ({ mode }),
    button: TEXTS.create,
    back: () => LIST,
    done(_visit, created) {
      const { secret } = created as Awaited<ReturnType<typeof mintKey>>;
      return { kind: "redirect", to: LIST, flash: { code: "newKey", secret } };
    },
  }),
  ...operationAction({
    path: "/keys/:id/revoke",
    operation: revokeKey,
    question: { title: TEXTS.revokeQuestion, note: TEXTS.revokeNote, button: TEXTS.revoke, about: keyTerms },
    back: () => LIST,
    done: "saved",
  }),
];

/** Without the setting there are no such pages, and never one of a key of the other mode. */
export const KEY_ROUTES: readonly Route[] = ROUTES.map(
  (route) =>
    ({
      ...route,
      async handle(visit: Visit) {
        const isAllowed = visit.appliance.config.console.manageKeys;
        const isForeign = "id" in visit.params && (await keyOf(visit)) === undefined;
        return isAllowed && !isForeign ? route.handle(visit) : notFoundPage();
      },
    }) as Route,
);
