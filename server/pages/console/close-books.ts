/** Closes and reopens a merchant's books from the reports page (docs/contract.md#issue-dates-and-closed-periods). */
import { changeSettings, getSettings } from "../../../src/merchants/settings.ts";
import { html, type Markup } from "../markup.ts";
import { formatDay } from "./format.ts";
import { TEXTS } from "./messages.ts";
import { actionButton } from "./parts.ts";
import { post, type Reply, type Route, returnPath, type Visit } from "./visit.ts";

const CLOSE_PATH = "/console/reports/close";

/** `through` is the last day of the shown period. */
export async function closingSection(
  visit: Visit,
  merchant: { id: string; name: string },
  through: string,
): Promise<Markup> {
  const { appliance, mode, translate, language } = visit;
  const { closed_until: closed } = await getSettings(appliance, merchant.id, mode);
  const button = (label: string, until: string) =>
    actionButton(visit, { action: CLOSE_PATH, label, fields: { merchant: merchant.id, until } });
  // Closing today would refuse what is issued now.
  const canClose = through < appliance.clock.today() && (closed === null || closed < through);
  const state =
    closed === null
      ? TEXTS.booksOpen(merchant.name)
      : TEXTS.booksClosed(merchant.name, formatDay(language, closed));
  return html`<section class="stack"><h2>${translate(TEXTS.books)}</h2><p>${translate(state)}</p><p class="hint">${translate(TEXTS.booksHint)}</p><div class="actions">${
    canClose && button(translate(TEXTS.closeBooks(formatDay(language, through))), through)
  }${closed !== null && button(translate(TEXTS.reopenBooks), "")}</div></section>`;
}

async function closeBooks(visit: Visit): Promise<Reply> {
  const { appliance, mode, form } = visit;
  const until = form.get("until") ?? "";
  await changeSettings(appliance, form.get("merchant") ?? "", mode, {
    closed_until: until === "" ? null : until,
  });
  const code = until === "" ? "booksReopened" : "booksClosed";
  return { kind: "redirect", to: returnPath(visit, "/console/reports"), flash: { code } };
}

export const CLOSING_ROUTES: readonly Route[] = [post("/reports/close", closeBooks)];
