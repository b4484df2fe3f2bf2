/**
 * A merchant's pages for its details, its paper, and how it issues, with a sample and a test of the mail server; and closing its books,
 * from the reports page (docs/contract.md#issue-dates-and-closed-periods).
 */
import * as operations from "../../../src/operations/merchants.ts";
import { sendTestMail } from "../../../src/mail/post.ts";
import { changeSettings, getSettings } from "../../../src/merchants/settings.ts";
import { joinTexts, sameInBoth, type Text } from "../../../src/foundation/text.ts";
import type { BodyField } from "../../../src/operations/body-fields.ts";
import { branchFields, ISSUING_FIELDS, PAPER_FIELDS } from "../../../src/operations/settings-fields.ts";
import { type Content, html, type Markup } from "../markup.ts";
import { canSend } from "./mail.ts";
import { TEXTS } from "./messages.ts";
import { operationForm } from "./operation-form.ts";
import { run } from "./operation-pages.ts";
import { actionButton, alert } from "./parts.ts";
import { notFoundPage } from "./problems.ts";
import { get, getForm, pathTo, post, type Reply, returnPath, type Route, type Visit } from "./visit.ts";
import { formatDay } from "./format.ts";
import { renderSample } from "../../../src/paper/render-in-turn.ts";

function pageOf({ params }: Visit, id = params["id"] ?? ""): string {
  return `/console/merchants/${id}`;
}

function settingsOf({ appliance, mode, params }: Visit) {
  return getSettings(appliance, params["id"] ?? "", mode);
}

function settingsForm(
  name: string,
  title: Text | ((visit: Visit) => Text),
  fields: readonly BodyField[] | ((visit: Visit) => readonly BodyField[]),
  below?: (visit: Visit) => Promise<Content>,
) {
  const path = `/merchants/:id/${name}`;
  return operationForm({
    path,
    title,
    operation: operations.updateMerchantSettings,
    fields,
    before: settingsOf,
    back: pageOf,
    below,
    done: (visit) => ({ kind: "redirect", to: pathTo(visit, path), flash: { code: "saved" } }),
  });
}

async function belowPaper(visit: Visit): Promise<Content> {
  const { paper } = await settingsOf(visit);
  const page = pageOf(visit);
  const logo =
    paper.logo !== undefined && html`<p><img class="logo" src="${page}/logo" alt="${TEXTS.logo}"></p>`;
  const mail =
    canSend(visit) && paper.email !== undefined
      ? actionButton(visit, { action: `${page}/test-mail`, label: TEXTS.testMail(paper.email) })
      : html`<p class="hint">${canSend(visit) ? TEXTS.noMailAddress : TEXTS.mailNotConfigured}</p>`;
  const branches = Object.keys(paper.branches ?? {}).map(
    (number) => html`<a class="button" href="${page}/branches/${number}">${number}</a>`,
  );
  return html`<section class="stack"><h2>${TEXTS.branches}</h2><p class="hint">${TEXTS.branchesHint}</p>
<form method="get" action="${page}/branches" class="actions">${branches}<label for="number">${TEXTS.branchNumber}</label><div class="short"><input id="number" name="number" inputmode="numeric" maxlength="4"></div><button>${TEXTS.open}</button></form></section><section class="stack"><h2>${TEXTS.preview}</h2>${logo}<p class="hint">${TEXTS.sampleHint}</p><div class="actions"><a class="button" href="${page}/sample.pdf" download>${TEXTS.samplePdf}</a></div></section><section class="stack"><h2>${TEXTS.mails}</h2>${mail}</section>`;
}

function branchOf({ params }: Visit): string {
  return params["branch"] ?? "";
}

function branchTitle(visit: Visit): Text {
  return joinTexts([TEXTS.branch, sameInBoth(branchOf(visit))], " ");
}

/** The form of the branch with the number that was typed. */
async function openBranch(visit: Visit): Promise<Reply> {
  const number = Number(visit.query.get("number"));
  const isBranch = Number.isInteger(number) && number >= 1 && number <= 9999;
  return { kind: "redirect", to: `${pageOf(visit)}/${isBranch ? `branches/${number}` : "paper"}` };
}

async function logoFile(visit: Visit): Promise<Reply> {
  const { logo: stored } = (await settingsOf(visit)).paper;
  if (stored === undefined) return notFoundPage();
  const body = Uint8Array.from(Buffer.from(stored.split(",").at(-1)!, "base64"));
  // Every PNG file begins with this byte.
  return { kind: "file", type: body[0] === 0x89 ? "image/png" : "image/jpeg", name: "logo", body };
}

async function sample({ appliance, mode, params }: Visit): Promise<Reply> {
  const body = await renderSample(appliance, params["id"] ?? "", mode);
  return { kind: "file", type: "application/pdf", name: "sample.pdf", body };
}

async function testMail(visit: Visit): Promise<Reply> {
  const { appliance, language } = visit;
  const { paper } = await settingsOf(visit);
  const back = `${pageOf(visit)}/paper`;
  if (!canSend(visit) || paper.email === undefined) return { kind: "redirect", to: back };
  const why = await sendTestMail(appliance.config, { to: paper.email, language });
  if (why === undefined) return { kind: "redirect", to: back, flash: { code: "mailTested" } };
  return {
    kind: "page",
    status: 502,
    title: TEXTS.actionFailed,
    content: html`${alert(html`<p>${why}</p>`)}<p><a class="button" href="${back}">${TEXTS.back}</a></p>`,
  };
}

export const MERCHANT_SETTINGS_ROUTES: readonly Route[] = [
  ...operationForm({
    path: "/merchants/new",
    title: TEXTS.newMerchant,
    operation: operations.createMerchant,
    button: TEXTS.create,
    back: () => "/console/merchants",
    done: (visit, { id }) => ({ kind: "redirect", to: pageOf(visit, id), flash: { code: "saved" } }),
  }),
  ...operationForm({
    path: "/merchants/:id/details",
    title: TEXTS.changeDetails,
    operation: operations.updateMerchant,
    before: (visit) => run(visit, operations.getMerchant),
    back: pageOf,
    done: (visit) => ({ kind: "redirect", to: pageOf(visit), flash: { code: "saved" } }),
  }),
  ...settingsForm("paper", TEXTS.paper, PAPER_FIELDS, belowPaper),
  ...settingsForm("issuing", TEXTS.issuingSettings, ISSUING_FIELDS),
  getForm("/merchants/:id/branches", openBranch),
  ...settingsForm("branches/:branch", branchTitle, (visit) => branchFields(branchOf(visit))),
  get("/merchants/:id/logo", logoFile),
  get("/merchants/:id/sample.pdf", sample),
  post("/merchants/:id/test-mail", testMail),
];

const CLOSE_PATH = "/console/reports/close";

/** `through` is the last day of the shown period. */
export async function closingSection(
  visit: Visit,
  merchant: { id: string; name: string },
  through: string,
): Promise<Markup> {
  const { appliance, mode } = visit;
  const { closed_until: closed } = await getSettings(appliance, merchant.id, mode);
  const button = (label: Text, until: string) =>
    actionButton(visit, { action: CLOSE_PATH, label, fields: { merchant: merchant.id, until } });
  // Closing today would refuse what is issued now.
  const canClose = through < appliance.clock.today() && (closed === null || closed < through);
  const state =
    closed === null ? TEXTS.booksOpen(merchant.name) : TEXTS.booksClosed(merchant.name, formatDay(closed));
  return html`<section class="stack"><h2>${TEXTS.books}</h2><p>${state}</p><p class="hint">${TEXTS.booksHint}</p><div class="actions">${
    canClose && button(TEXTS.closeBooks(formatDay(through)), through)
  }${closed !== null && button(TEXTS.reopenBooks, "")}</div></section>`;
}

async function closeBooks(visit: Visit): Promise<Reply> {
  const { appliance, mode, form } = visit;
  const until = form.get("until") ?? "";
  await changeSettings(appliance, form.get("merchant") ?? "", mode, {
    closed_until: until === "" ? null : until,
  });
  return { kind: "redirect", to: returnPath(visit, "/console/reports"), flash: { code: "saved" } };
}

export const CLOSING_ROUTES: readonly Route[] = [post("/reports/close", closeBooks)];
