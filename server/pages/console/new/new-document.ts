/** Issuing one document in the console: the form, its preview, and issuing (docs/contract.md#console-form-for-a-document). */
import { acceptDocument } from "../../../../src/documents/accept.ts";
import { examineBody } from "../../../../src/documents/preview.ts";
import {
  correctedUnder,
  correctionKey,
  readCorrection,
  readRepetition,
  refusalOfCorrection,
} from "../../../../src/documents/repeat.ts";
import { AppError } from "../../../../src/foundation/errors.ts";
import type { Text } from "../../../../src/foundation/text.ts";
import { useOfKey } from "../../../../src/journal/idempotency.ts";
import { listCustomers } from "../../../../src/merchants/customers.ts";
import { getMerchant, listActiveMerchants } from "../../../../src/merchants/merchants.ts";
import { documentPath, merchantOptions } from "../document-parts.ts";
import { formField, newFormKey, postForm, type Trouble, troubleStatus, withKey } from "../forms.ts";
import { TEXTS } from "../messages.ts";
import { refuseWhileHeld } from "../problems.ts";
import { causeOf, getForm, type Page, post, type Reply, type Route, type Visit } from "../visit.ts";
import { compose, type Composed, troubleIn } from "./compose.ts";
import {
  completeCustomer,
  entryLike,
  problemWithNumber,
  suggestedEntry,
  withFormer,
  withoutFormer,
} from "./filled-in.ts";
import { changeRows, fieldsOf, firstRows, type NewEntry, readEntry } from "./entry.ts";
import { CHANGE_PATH, newForm, totalsPart } from "./form.ts";
import { previewPage } from "../document-contents.ts";
import { html } from "../../markup.ts";

const newPage = withKey(async (visit, key) => {
  refuseWhileHeld(visit);
  const merchant = await findMerchant(visit);
  if (merchant === undefined) return merchantPage(visit);
  return showForm(visit, { ...(await suggestedEntry(visit, merchant)), key });
});

const repeatPage = withKey(async (visit, key) => {
  refuseWhileHeld(visit);
  return showForm(visit, { ...(await entryLike(visit, readRepetition)), key });
});

async function correctPage(visit: Visit): Promise<Reply> {
  const { appliance, mode, params } = visit;
  const id = params["id"] ?? "";
  refuseWhileHeld(visit);
  const entry = await entryLike(visit, readCorrection);
  const refusal = await refusalOfCorrection(appliance, mode, id);
  if (refusal !== undefined) throw refusal;
  return showForm(visit, { ...entry, key: correctionKey(id) });
}

/** Shows the form again, after what the pressed button does. */
async function changePage(visit: Visit): Promise<Reply> {
  const entry = entryOf(visit);
  const act = visit.form.get("act") ?? "";
  if (act === "merchant") return merchantPage(visit, entry);
  // Only the merchant was chosen so far.
  if (!visit.form.has("type")) {
    const { id } = await getMerchant(visit.appliance, entry.fields.merchant);
    return { kind: "redirect", to: "/console/new", merchant: id };
  }
  if (act === "find") return findPage(visit);
  const { entry: changed, focus } = changeRows(entry, act);
  return showForm(visit, changed, { focus });
}

/** Shows the form with the name and address of the customer, or with what is wrong with the number. */
async function findPage(visit: Visit): Promise<Reply> {
  const entry = entryOf(visit);
  const problem = problemWithNumber(entry.fields);
  if (problem === undefined) {
    const { entry: completed, notes } = await completeCustomer(visit, entry);
    return showForm(visit, completed, { notes, focus: "customer_name" });
  }
  return showForm(visit, entry, { trouble: { status: 400, mistakes: new Map([["customer", problem]]) } });
}

/** What was typed, without the details of a customer whose number was replaced. */
function entryOf({ form }: Visit): NewEntry {
  return withoutFormer(readEntry(form));
}

async function preview(visit: Visit): Promise<Reply> {
  const { entry: completed, notes } = await completeCustomer(visit, entryOf(visit));
  const entry = withFormer(completed);
  return orForm(visit, entry, async (composed, merchant) => {
    refuseWhileHeld(visit);
    const examination = await examineBody(visit.appliance, composed.body, visit.mode);
    if (composed.mistakes.size > 0) throw new AppError("validation_failed", TEXTS.notIssued);
    return previewPage(
      visit,
      { examination, merchantName: merchant.name, notes },
      {
        action: "/console/new",
        change: CHANGE_PATH,
        hidden: [[CONFIRMED, confirmationOf(visit, composed)], ...fieldsOf(entry)],
        button: TEXTS.issueDocument,
        back: "/console/documents",
      },
    );
  });
}

/** The name of the field that says what was confirmed. */
const CONFIRMED = "confirmed";

/** What the person confirms: only this is issued. */
function confirmationOf({ mode }: Visit, { body }: Composed): string {
  return `${mode} ${body.merchant} ${body.document.totals.gross}`;
}

/** Issues what the preview showed; anything else is previewed first. */
async function issue(visit: Visit): Promise<Reply> {
  const entry = readEntry(visit.form);
  return orForm(visit, entry, async (composed) => {
    const { body, mistakes } = composed;
    if (mistakes.size > 0 || visit.form.get(CONFIRMED) !== confirmationOf(visit, composed))
      return preview(visit);
    const use = useOfKey("issueDocument", entry.key, {}, body);
    const { id } = await acceptDocument(visit.appliance, body, causeOf(visit), use);
    return { kind: "redirect", to: documentPath(id), flash: { code: "accepted" } };
  });
}

/** The totals alone, for the script. */
async function totalsPage(visit: Visit): Promise<Reply> {
  const entry = readEntry(visit.form);
  const { body } = compose(entry, await getMerchant(visit.appliance, entry.fields.merchant));
  const content = totalsPart(body.document.lines);
  return { kind: "page", title: TEXTS.newDocument, content };
}

type Merchant = Awaited<ReturnType<typeof getMerchant>>;

/** Does `act` with what the form asks for, or shows the form again with everything that is wrong. */
async function orForm(
  visit: Visit,
  entry: NewEntry,
  act: (composed: Composed, merchant: Merchant) => Promise<Reply>,
): Promise<Reply> {
  const merchant = await getMerchant(visit.appliance, entry.fields.merchant);
  const composed = compose(entry, merchant);
  try {
    return await act(composed, merchant);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const isConflict = error.code === "idempotency_conflict";
    const corrected = isConflict ? correctedUnder(entry.key) : undefined;
    if (corrected !== undefined) {
      const refusal = await refusalOfCorrection(visit.appliance, visit.mode, corrected);
      return showForm(visit, entry, { trouble: troubleIn(composed, refusal ?? error) });
    }
    // A key that was used for something else would be refused again.
    const again = isConflict ? { ...entry, key: newFormKey() } : entry;
    return showForm(visit, again, { trouble: troubleIn(composed, error) });
  }
}

interface Shown {
  trouble?: Trouble;
  notes?: readonly Text[];
  focus?: string | undefined;
}

/** Limits the page; the customers used last are offered. */
const OFFERED_MAX = 500;

async function showForm(visit: Visit, given: NewEntry, shown: Shown = {}): Promise<Page> {
  const { appliance } = visit;
  const { trouble, notes = [], focus } = shown;
  const entry = withFormer(given.rows.length > 0 ? given : { ...given, rows: firstRows("standard") });
  const merchant = await getMerchant(appliance, entry.fields.merchant);
  const { body } = compose(entry, merchant);
  const place = { merchantId: merchant.id, mode: visit.mode };
  const customers = await listCustomers(appliance, { ...place, limit: OFFERED_MAX });
  const { lines } = body.document;
  const form = { entry, merchantName: merchant.name, customers, lines, trouble, notes, focus };
  return { kind: "page", title: TEXTS.newDocument, content: newForm(visit, form), ...troubleStatus(trouble) };
}

const CHANGE = "/new/change";

export const NEW_DOCUMENT_ROUTES: readonly Route[] = [
  // The script keeps what was typed in the browser's history, which then asks for the page with GET.
  ...["/new", CHANGE, "/new/preview"].map((path) => getForm(path, newPage)),
  getForm("/documents/:id/repeat", repeatPage),
  getForm("/documents/:id/correct", correctPage),
  post(CHANGE, changePage, CHANGE),
  post("/new/preview", preview, CHANGE),
  { ...post("/new/totals", totalsPage), isQuery: true },
  { ...post("/new/customer", findPage), isQuery: true },
  post("/new", issue, CHANGE),
];

/** The merchant that the link names, or the one that this browser works for, if it is active. */
async function findMerchant({ appliance, query, merchant }: Visit): Promise<string | undefined> {
  const active = new Set((await listActiveMerchants(appliance)).map(({ id }) => id));
  return (
    [query.get("merchant"), merchant?.id].find((id) => typeof id === "string" && active.has(id)) ?? undefined
  );
}

/** Keeps what was entered before. */
async function merchantPage(visit: Visit, entry?: NewEntry): Promise<Page> {
  const options = await merchantOptions(visit);
  const form = postForm(visit, {
    action: CHANGE_PATH,
    hidden: entry === undefined ? [] : fieldsOf(entry).filter(([name]) => name !== "merchant"),
    content: formField(undefined, {
      name: "merchant",
      label: TEXTS.chooseMerchant,
      value: entry?.fields.merchant ?? "",
      options,
    }),
    button: TEXTS.continue,
    back: "/console/documents",
  });
  const content =
    options.length === 0
      ? html`<p>${TEXTS.noMerchants}</p>`
      : html`<section class="narrow">${form}</section>`;
  return { kind: "page", title: TEXTS.newDocument, content };
}
