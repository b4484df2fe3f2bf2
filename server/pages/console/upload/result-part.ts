/** What became of the documents of an upload. */
import { getDocuments } from "../../../../src/documents/list-documents.ts";
import type { Verdict } from "../../../../src/intake/accept-items.ts";
import type { DocumentObject } from "../../../../src/journal/document-object.ts";
import { html, type Markup } from "../../markup.ts";
import { documentLink, statusOf } from "../document-parts.ts";
import { formatCount, timeOf } from "../format.ts";
import { TEXTS } from "../messages.ts";
import { live, table, translated } from "../parts.ts";
import type { Visit } from "../visit.ts";
import { refusalText } from "./preview-part.ts";

export interface Outcome {
  verdict: Verdict;
  /** Null for one that was refused before it was accepted. */
  document: DocumentObject | null;
}

export async function outcomesOf(
  { appliance, mode }: Visit,
  verdicts: readonly Verdict[],
): Promise<Outcome[]> {
  const ids = verdicts.flatMap((verdict) => ("id" in verdict ? [verdict.id] : []));
  const documents = await getDocuments(appliance, mode, ids);
  return verdicts.map((verdict) => ({
    verdict,
    document: "id" in verdict ? (documents.get(verdict.id) ?? null) : null,
  }));
}

/** The script refreshes it; without scripts the link does. */
export async function resultPart(
  visit: Visit,
  { verdicts, path, until }: { verdicts: readonly Verdict[]; path: string; until: string },
): Promise<Markup> {
  const { translate, language } = visit;
  const outcomes = await outcomesOf(visit, verdicts);
  const accepted = outcomes.filter(({ document }) => document !== null);
  const open = accepted.filter(({ document }) => document?.status === "pending").length;
  const progress = TEXTS.uploadProgress(
    formatCount(language, accepted.length - open),
    formatCount(language, accepted.length),
  );
  const refresh =
    open > 0 && html`<a class="button" href="${path}/result">${translate(TEXTS.uploadRefresh)}</a>`;
  return live(
    "result",
    html`<section><p>${translate(progress)}</p><p class="hint">${translate(TEXTS.uploadKept)} ${timeOf(language, until)}</p><p class="actions">${refresh}<a class="button" href="${path}/report" download>${translate(TEXTS.uploadReport)}</a><a class="button" href="/console/upload">${translate(TEXTS.uploadOther)}</a></p></section>
<section class="listing">${outcomeTable(visit, outcomes)}</section>`,
  );
}

function outcomeTable(visit: Visit, outcomes: readonly Outcome[]): Markup {
  const { translate } = visit;
  return table<Outcome>(
    translate(TEXTS.uploadDocuments),
    [
      { head: translate(TEXTS.uploadPlace), cell: ({ verdict }) => translate(verdict.place), isFirm: true },
      { head: translate(TEXTS.uploadReference), cell: ({ verdict }) => verdict.reference },
      {
        head: translate(TEXTS.document),
        cell: ({ document }) => document !== null && documentLink(translate, document),
      },
      { head: translate(TEXTS.mark), cell: ({ document }) => document?.mark, isFirm: true },
      { head: translate(TEXTS.uploadResult), cell: (outcome) => resultOf(visit, outcome) },
    ],
    outcomes,
  );
}

function resultOf({ translate }: Visit, { verdict, document }: Outcome): Markup {
  if (verdict.outcome === "refused")
    return html`<span class="error-text">${translated(translate, refusalText(verdict))}</span>`;
  const before =
    verdict.outcome === "accepted_before" &&
    html`<br><span class="soft">${translate(TEXTS.uploadBefore)}</span>`;
  return html`${document !== null && statusOf(translate, document)}${before}`;
}
