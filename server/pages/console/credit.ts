/** Crediting a document in the console: the form, its preview, and issuing (docs/contract.md#console-form-for-a-credit-note). */
import { TEXTS } from "./messages.ts";
import { creditDocument, previewCredit, readCreditable } from "../../../src/documents/credit.ts";
import { AppError } from "../../../src/foundation/errors.ts";
import { isKeyUsed } from "../../../src/journal/create-once.ts";
import { useOfKey } from "../../../src/journal/idempotency.ts";
import { bodyOf, type CreditBody, creditForm, fieldOf, markForm, shownFields } from "./credit-form.ts";
import {
  creditPathOf,
  type CreditSource,
  ELSEWHERE_PATH,
  findOwnSource,
  findSourceElsewhere,
} from "./credit-source.ts";
import { newFormKey, readFormKey, type Trouble, troubleOf, troubleStatus, withKey } from "./forms.ts";
import { documentPath } from "./document-parts.ts";
import { problemPage, refuseWhileHeld, tryAgainPage } from "./problems.ts";
import { causeOf, getForm, type Page, post, type Reply, type Route, type Visit } from "./visit.ts";
import { previewPage } from "./document-contents.ts";

/** Of the API, so that a key is used once in both. */
const OPERATION = "creditDocument";

type Act = (visit: Visit, source: CreditSource) => Promise<Reply>;

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

const creditPage = withKey(async (visit, key) =>
  readPage({ ...visit, form: new Map([["key", key]]) }, await findOwnSource(visit)),
);

/** The form as it is at first. */
const readPage: Act = (visit, source) =>
  showForm(visit, source, new Map([...visit.form, ["issue_date", visit.appliance.clock.today()]]));

const changePage: Act = (visit, source) => showForm(visit, source, visit.form);

const preview: Act = (visit, source) =>
  orForm(visit, source, async (body) => {
    refuseWhileHeld(visit);
    const examination = await previewCredit(visit.appliance, visit.mode, source.original, body);
    const { merchantName, path, back } = source;
    const more = [[TEXTS.creditedDocument, source.link]] as const;
    return previewPage(
      visit,
      { examination, merchantName, more },
      {
        action: path,
        change: `${path}/change`,
        hidden: shownFields(visit.form, examination),
        button: TEXTS.issueCreditNote,
        back,
      },
    );
  });

const issue: Act = (visit, source) =>
  orForm(visit, source, async (body) => {
    const use = useOfKey(OPERATION, readFormKey(visit.form), source.names, body);
    const { id } = await creditDocument(visit.appliance, source.original, body, causeOf(visit), use);
    return { kind: "redirect", to: documentPath(id), flash: { code: "accepted" } };
  });

/** Does `act` with what the form asks for, or shows the form again with what is wrong. */
async function orForm(
  visit: Visit,
  source: CreditSource,
  act: (body: CreditBody) => Promise<Reply>,
): Promise<Reply> {
  const { appliance, mode, form } = visit;
  let body: CreditBody = {};
  try {
    body = bodyOf(form);
    return await act(body);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const trouble = troubleOf(error, (path) => fieldOf(path, body));
    const use = { mode, operation: OPERATION, key: readFormKey(form) };
    const isUsed = error.code === "idempotency_conflict" || (await isKeyUsed(appliance.store.read, use));
    if (!isUsed) return showForm(visit, source, form, trouble);
    // Less is left because this form has issued, and its key would be refused again.
    const again = new Map([...form, ["key", newFormKey()]]);
    return showForm(visit, source, again, { ...trouble, other: TEXTS.alreadyIssued });
  }
}

/** The form, or why the document cannot be credited. */
async function showForm(
  visit: Visit,
  source: CreditSource,
  entry: Visit["form"],
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

const ACTS: Readonly<Record<string, Act>> = { "": issue, "/preview": preview, "/change": changePage };

export const CREDIT_ROUTES: readonly Route[] = [
  getForm("/documents/:id/credit", creditPage),
  getForm(
    "/credit",
    withKey((visit, key) => markForm({ ...visit, form: new Map([["key", key]]) })),
  ),
  // Reading is a request to the provider, so it is a POST.
  post("/credit/lines", aboutElsewhere(readPage)),
  ...Object.entries(ACTS).flatMap(([end, act]) => [
    post(`/documents/:id/credit${end}`, aboutOwn(act), "/documents/:id/credit/change"),
    post(`/credit${end}`, aboutElsewhere(act), "/credit/change"),
  ]),
];
