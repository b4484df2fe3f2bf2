/** Reads the date of the last document that was issued in the counter of a document that is dated back. */
import { findLastIssueDate } from "../../storage/documents/series.ts";
import type { Session } from "../../storage/database/session.ts";
import type { Mode, Provider } from "../../storage/stored-values.ts";
import type { CanonicalDocument } from "../domain/canonical-document.ts";
import { destinationOf } from "../domain/routing.ts";
import type { Context } from "../journal/context.ts";
import { type IssuingSettings, ownSeriesOf } from "./assess.ts";

interface Dated {
  document: CanonicalDocument;
  /** The series requested with the document, if any. */
  series: string | undefined;
  mode: Mode;
  provider: Provider;
  settings: IssuingSettings;
}

/** A document of today is never earlier than the last one, because none is issued for a later day. */
export function isBackdated({ clock }: Context, { issue_date: day }: CanonicalDocument): boolean {
  return day < clock.today();
}

/** Undefined if nothing was issued in the counter, or where no warning depends on it. */
export async function readLastIssued(
  context: Context,
  session: Session,
  { document, series, mode, provider, settings }: Dated,
): Promise<string | undefined> {
  if (!isBackdated(context, document)) return undefined;
  const isSandboxStrict = context.config.sandbox.strict;
  if (destinationOf({ mode, provider, isSandboxStrict }) === "plain sandbox") return undefined;
  if (context.providers.find(provider)?.numbering === "provider") return undefined;
  const { supplier, type } = document;
  return findLastIssueDate(session, {
    supplier: supplier.tax_id.code,
    branch: supplier.branch,
    type,
    series: series ?? ownSeriesOf(document, settings),
    mode,
  });
}
