/** Pages of the API keys of the session's mode, where the operator allows them: `[console] manage_keys`. */
import { listKeys as listAll, type mintKey } from "../../../src/keys/api-keys.ts";
import { fieldsOfVerb } from "../../../src/operations/body-fields.ts";
import { createKey, listKeys, revokeKey } from "../../../src/operations/keys.ts";
import { LABELS } from "../../../src/operations/view.ts";
import { html } from "../markup.ts";
import { TEXTS } from "./messages.ts";
import { operationForm } from "./operation-form.ts";
import { run, viewColumns } from "./operation-pages.ts";
import { actionButton, type Column, confirmation, formLink, secretPage, tableOrEmpty } from "./parts.ts";
import { notFoundPage } from "./problems.ts";
import { get, getForm, post, type Reply, type Route, type Visit } from "./visit.ts";

const LIST = "/console/keys";

async function keysOf({ appliance, mode }: Visit) {
  return (await listAll(appliance)).filter((key) => key.mode === mode);
}

async function keysPage(visit: Visit): Promise<Reply> {
  const { translate } = visit;
  const { none, columns } = listKeys.table!;
  const actions: Column<Awaited<ReturnType<typeof keysOf>>[number]> = {
    head: translate(TEXTS.actions),
    cell: ({ id, name, revoked_at: revoked }) =>
      revoked === null &&
      formLink(
        visit,
        `${LIST}/${id}/revoke`,
        html`${translate(TEXTS.revoke)}<span class="unseen"> ${name}</span>`,
        "button danger",
      ),
  };
  const shown = [...viewColumns(visit, columns, { without: [LABELS.mode] }), actions];
  const title = translate(TEXTS.keys);
  return {
    kind: "page",
    title,
    content: html`<div class="actions">${formLink(visit, `${LIST}/new`, translate(TEXTS.newKey), "button primary")}</div><section class="listing">${tableOrEmpty(translate(none), title, shown, await keysOf(visit))}</section>`,
  };
}

/** The key of the address, if it is of the session's mode. */
async function keyOf(visit: Visit) {
  return (await keysOf(visit)).find(({ id }) => id === visit.params["id"]);
}

async function revokePage(visit: Visit): Promise<Reply> {
  const { translate } = visit;
  const key = await keyOf(visit);
  if (key === undefined) return notFoundPage(visit);
  const button = actionButton(visit, {
    action: `${LIST}/${key.id}/revoke`,
    label: translate(TEXTS.revoke),
    isDangerous: true,
  });
  return confirmation(visit, {
    title: TEXTS.revokeQuestion,
    rows: [[translate(TEXTS.name), `${key.name} (…${key.last4})`]],
    note: TEXTS.revokeNote,
    button,
    back: LIST,
  });
}

async function revoke(visit: Visit): Promise<Reply> {
  if ((await keyOf(visit)) === undefined) return notFoundPage(visit);
  await run(visit, revokeKey);
  return { kind: "redirect", to: LIST, flash: { code: "revoked" } };
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
    done(visit, created) {
      const { name, secret } = created as Awaited<ReturnType<typeof mintKey>>;
      return secretPage(visit, { title: name, note: TEXTS.keyNote, secret, back: LIST });
    },
  }),
  getForm("/keys/:id/revoke", revokePage),
  post("/keys/:id/revoke", revoke),
];

/** Without the setting there are no such pages. */
export const KEY_ROUTES: readonly Route[] = ROUTES.map(
  (route) =>
    ({
      ...route,
      handle: async (visit: Visit) =>
        visit.appliance.config.console.manageKeys ? route.handle(visit) : notFoundPage(visit),
    }) as Route,
);
