/** Crediting a document in the console: the form, its preview, and issuing (docs/contract.md#console-form-for-a-credit-note). */
import { TEXTS } from "./messages.ts";
import { creditDocument, previewCredit, readCreditable } from "../../../src/documents/credit.ts";
import { AppError } from "../../../src/foundation/errors.ts";
import { isKeyUsed } from "../../../src/journal/create-once.ts";
import { useOfKey } from "../../../src/journal/idempotency.ts";
import {
  bodyOf,
  type CreditBody,
  type CreditEntry,
  creditForm,
  creditTrouble,
  emptyEntry,
  markForm,
  readEntry,
  shownFields,
} from "./credit-form.ts";
import {
  creditPathOf,
  type CreditSource,
  ELSEWHERE_PATH,
  findOwnSource,
  findSourceElsewhere,
} from "./credit-source.ts";
import { newFormKey, readFormKey, type Trouble, troubleStatus, withKey } from "./forms.ts";
import { documentPath } from "./document-parts.ts";
import { problemPage, refuseWhileHeld, tryAgainPage } from "./problems.ts";
import { causeOf, getForm, type Page, post, type Reply, type Route, type Visit } from "./visit.ts";
import { previewPage } from "./document-contents.ts";

/** Of the API, so that a key is used once in both. */
const OPERATION = "creditDocument";

type Act = (visit: Visit, source: CreditSource) => Promise<Reply>;

/** A page about the document of the path. */
function aboutOwn(act: Act): (visit: Visit) => Promise<Reply> {
  return async (visit) => act(visit, await findOwnSource(visit));
}

/**
 * A page about the document that the form names by its MARK. If it cannot be read, the form that asks for the MARK, or what was typed in
 * the form for the credit note, to try again with.
 */
function aboutElsewhere(act: Act): (visit: Visit) => Promise<Reply> {
  return async (visit) => {
    let source: CreditSource | { ownId: string };
    try {
      refuseWhileHeld(visit);
      source = await findSourceElsewhere(visit);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return visit.form.has("issue_date")
        ? tryAgainPage(visit, error, `${ELSEWHERE_PATH}/change`, ELSEWHERE_PATH)
        : markForm(visit, error);
    }
    return "ownId" in source ? { kind: "redirect", to: creditPathOf(source.ownId) } : act(visit, source);
  };
}

const creditPage = withKey(async (visit, key) => {
  const source = await findOwnSource(visit);
  return showForm(visit, source, emptyEntry(visit.appliance.clock.today(), key));
});

const readPage: Act = (visit, source) =>
  showForm(visit, source, emptyEntry(visit.appliance.clock.today(), readFormKey(visit.form)));

const changePage: Act = (visit, source) => showForm(visit, source, readEntry(visit.form));

const preview: Act = (visit, source) => {
  const { appliance, mode } = visit;
  const entry = { ...readEntry(visit.form), nets: new Map<number, number>() };
  return orForm(visit, source, entry, async (body) => {
    refuseWhileHeld(visit);
    const previewed = await previewCredit(appliance, mode, source.original, body);
    const { merchantName, path, back } = source;
    const more = [[TEXTS.creditedDocument, source.link]] as const;
    return previewPage(
      visit,
      { examination: previewed, merchantName, more },
      {
        action: path,
        change: `${path}/change`,
        hidden: [
          ["key", entry.key],
          ...Object.entries({ ...source.fields, ...shownFields(entry, previewed) }),
        ],
        button: TEXTS.issueCreditNote,
        back,
      },
    );
  });
};

const issue: Act = (visit, source) => {
  const entry = readEntry(visit.form);
  return orForm(visit, source, entry, async (body) => {
    const use = useOfKey(OPERATION, entry.key, source.parameters, body);
    const { id } = await creditDocument(visit.appliance, source.original, body, causeOf(visit), use);
    return { kind: "redirect", to: documentPath(id), flash: { code: "accepted" } };
  });
};

/** Does `act` with what the form asks for, or shows the form again with what is wrong. */
async function orForm(
  visit: Visit,
  source: CreditSource,
  entry: CreditEntry,
  act: (body: CreditBody) => Promise<Reply>,
): Promise<Reply> {
  let body: CreditBody = {};
  try {
    body = bodyOf(entry);
    return await act(body);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const trouble = creditTrouble(error, body);
    const use = { mode: visit.mode, operation: OPERATION, key: entry.key };
    const isUsed =
      error.code === "idempotency_conflict" || (await isKeyUsed(visit.appliance.store.read, use));
    if (!isUsed) return showForm(visit, source, entry, trouble);
    // Less is left because this form has issued, and its key would be refused again.
    const again = { ...entry, key: newFormKey() };
    return showForm(visit, source, again, { ...trouble, other: TEXTS.alreadyIssued });
  }
}

/** The form, or why the document cannot be credited. */
async function showForm(
  visit: Visit,
  source: CreditSource,
  entry: CreditEntry,
  trouble?: Trouble,
): Promise<Page> {
  const { appliance } = visit;
  try {
    if (trouble === undefined) refuseWhileHeld(visit);
    const creditable = await readCreditable(appliance, source.original);
    if (creditable.isNothingLeft) throw new AppError("invalid_state", creditable.nothingLeft);
    return {
      kind: "page",
      title: TEXTS.creditNoteFor(source.name),
      content: creditForm(visit, { source, creditable, entry, trouble }),
      ...troubleStatus(trouble),
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return problemPage(visit, error, source.back);
  }
}

const OWN = "/documents/:id/credit/change";
const ELSEWHERE = "/credit/change";

export const CREDIT_ROUTES: readonly Route[] = [
  getForm("/documents/:id/credit", creditPage),
  post("/documents/:id/credit", aboutOwn(issue), OWN),
  post("/documents/:id/credit/preview", aboutOwn(preview), OWN),
  post(OWN, aboutOwn(changePage), OWN),
  getForm(
    "/credit",
    withKey((visit, key) => markForm({ ...visit, form: new Map([["key", key]]) })),
  ),
  // Reading is a request to the provider, so it is a POST.
  post("/credit/lines", aboutElsewhere(readPage)),
  post("/credit", aboutElsewhere(issue), ELSEWHERE),
  post("/credit/preview", aboutElsewhere(preview), ELSEWHERE),
  post(ELSEWHERE, aboutElsewhere(changePage), ELSEWHERE),
];
