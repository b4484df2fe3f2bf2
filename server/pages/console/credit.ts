/** Crediting a document in the console: the form, its preview, and issuing (docs/contract.md#console-forms). */
import { TEXTS } from "./messages.ts";
import { creditDocument, ownOriginal, previewCredit, readCreditable } from "../../../src/documents/credit.ts";
import { getDocument } from "../../../src/documents/list-documents.ts";
import { AppError } from "../../../src/foundation/errors.ts";
import { heldError } from "../../../src/journal/held.ts";
import { fingerprint } from "../../../src/journal/idempotency.ts";
import { getMerchant } from "../../../src/merchants/merchants.ts";
import {
  bodyOf,
  type CreditBody,
  type CreditEntry,
  emptyEntry,
  readEntry,
  type Trouble,
  troubleOf,
} from "./credit-entry.ts";
import { creditForm } from "./credit-form.ts";
import { creditPreview } from "./credit-preview.ts";
import { documentName, documentPath } from "./document-parts.ts";
import { problemPage } from "./problems.ts";
import { causeOf, get, type Page, post, type Reply, type Route, type Visit } from "./visit.ts";

async function creditPage(visit: Visit): Promise<Reply> {
  return showForm(visit, emptyEntry(visit.appliance.clock.today()));
}

async function changePage(visit: Visit): Promise<Reply> {
  return showForm(visit, readEntry(visit.form));
}

async function preview(visit: Visit): Promise<Reply> {
  const { appliance, mode, translate } = visit;
  const id = idOf(visit);
  const entry = { ...readEntry(visit.form), nets: new Map<number, number>() };
  return orForm(visit, entry, async (body) => {
    refuseWhileHeld(visit);
    const original = await getDocument(appliance, mode, id);
    const { name: merchantName } = await getMerchant(appliance, original.merchant);
    const previewed = await previewCredit(appliance, mode, ownOriginal(appliance, mode, id), body);
    const content = creditPreview(visit, { original, merchantName, entry, preview: previewed });
    return { kind: "page", title: translate(TEXTS.creditPreview), content };
  });
}

async function issue(visit: Visit): Promise<Reply> {
  const original = idOf(visit);
  const entry = readEntry(visit.form);
  return orForm(visit, entry, async (body) => {
    const claim = {
      operation: "creditDocument",
      key: entry.key,
      fingerprint: fingerprint({ id: original }, body),
    };
    const { id } = await creditDocument(visit.appliance, original, body, causeOf(visit), claim);
    return { kind: "redirect", to: documentPath(id), flash: { code: "credited" } };
  });
}

function idOf({ params }: Visit): string {
  return params["id"] ?? "";
}

/** Does `act` with what the form asks for, or shows the form again with what is wrong. */
async function orForm(
  visit: Visit,
  entry: CreditEntry,
  act: (body: CreditBody) => Promise<Reply>,
): Promise<Reply> {
  let body: CreditBody = {};
  try {
    body = bodyOf(entry);
    return await act(body);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { key } = emptyEntry("");
    // A key that was used for something else would be refused again.
    const again = error.code === "idempotency_conflict" ? { ...entry, key } : entry;
    return showForm(visit, again, troubleOf(error, body));
  }
}

/** The form, or why the document cannot be credited. */
async function showForm(visit: Visit, entry: CreditEntry, trouble?: Trouble): Promise<Page> {
  const { appliance, mode, translate } = visit;
  const id = idOf(visit);
  try {
    if (trouble === undefined) refuseWhileHeld(visit);
    const original = await getDocument(appliance, mode, id);
    const creditable = await readCreditable(appliance, ownOriginal(appliance, mode, id));
    if (creditable.isNothingLeft) throw new AppError("invalid_state", creditable.nothingLeft);
    return {
      kind: "page",
      title: translate(TEXTS.creditNoteFor(documentName(translate, original))),
      content: creditForm(visit, { original, creditable, entry, trouble }),
      ...(trouble === undefined ? {} : statusOf(trouble)),
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return problemPage(visit, error, documentPath(id));
  }
}

function statusOf({ status, retryAfterSeconds }: Trouble): Pick<Page, "status" | "retryAfterSeconds"> {
  return { status, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
}

/** Accepting refuses too; this says so before anything is typed or previewed. */
function refuseWhileHeld({ isHeld }: Visit): void {
  if (isHeld) throw heldError(TEXTS.creditNotIssued);
}

export const CREDIT_ROUTES: readonly Route[] = [
  get("/documents/:id/credit", creditPage),
  post("/documents/:id/credit", issue),
  post("/documents/:id/credit/preview", preview),
  post("/documents/:id/credit/change", changePage),
];
