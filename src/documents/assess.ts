/** Assesses a document for its merchant and provider. Accepting, dry run and preview share this, so their warnings agree. */
import type { Mode, Provider } from "../../storage/stored-values.ts";
import { findBrokenRules, warningOf } from "../domain/authority-rules.ts";
import { type CanonicalDocument, originalMarksOf } from "../domain/canonical-document.ts";
import { type ClassifiedDocument, classify, needsEuNumber, sentType } from "../domain/classification.ts";
import { checkCredit, warnAboutTaxesOfCredit } from "../domain/credit-checks.ts";
import { type Destination, type Objection, warnOrRefuse } from "../domain/routing.ts";
import type { ProviderAdapter } from "../domain/provider-adapter.ts";
import { checkRegime, refuseByRegime, refuseClosedPeriod, warnAboutDate } from "../domain/regime.ts";
import { defaultSeries } from "../domain/series.ts";
import { type Text, toText } from "../foundation/text.ts";
import type { Context } from "../journal/context.ts";
import type { Settings } from "../merchants/settings.ts";
import { destinationIn } from "./issue-request.ts";
import { type KnownOriginals, NO_ORIGINALS, readOriginals } from "./originals.ts";
import { checkVAT, countries } from "jsvat";
import { NORTHERN_IRELAND } from "../domain/tax-number.ts";
import { findLastIssueDate } from "../../storage/documents/series.ts";
import type { KeyedSession, Session } from "../../storage/database/session.ts";

/** The settings that decide how documents are issued. */
export type IssuingSettings = Omit<Settings, "paper">;

export interface AssessmentRequest {
  document: CanonicalDocument;
  /** What only some destinations refuse. */
  objections: readonly Objection[];
  /** Goes before the paths of problems: `document`, or empty where the document is the whole body. */
  prefix: string;
  mode: Mode;
  provider: Provider;
  settings: IssuingSettings;
  /** The series requested with the document, if any. */
  series: string | undefined;
  /** A preview only warns about what issuing refuses because of `regime`. */
  isPreview: boolean;
}

export interface Assessment {
  adapter: ProviderAdapter;
  /** Its warnings are in this order: classification, objections, issue date, EU number, regime, the authority's rules, provider. */
  classified: ClassifiedDocument;
  /** The authority's type that the document is sent as. */
  sentType: string;
  /** Null where the provider chooses the series. */
  series: string | null;
}

/** What is known about other documents. */
export interface Known extends KnownOriginals {
  /** The date of the last document issued in the counter; undefined where it cannot be later than the document's. */
  lastIssued?: string | undefined;
}

/** Reads what an assessment depends on. Without a merchant, nothing is known about what is credited. */
export async function readKnown(
  context: Context,
  session: KeyedSession,
  request: AssessmentRequest,
  merchantId: string | undefined,
): Promise<Known> {
  const { document, mode, provider } = request;
  const originals =
    merchantId === undefined
      ? NO_ORIGINALS
      : await readOriginals(context, session, document, { merchantId, mode, provider });
  return { ...originals, lastIssued: await readLastIssued(context, session, request) };
}

/** Throws `validation_failed`, `regime_mismatch` (unless it is a preview), or what the provider's own check throws. */
export function assessDocument(context: Context, request: AssessmentRequest, known: Known): Assessment {
  const { document, settings, mode, provider, prefix } = request;
  const classified = classify(document, { overrides: settings.classification, originals: known.originals });
  const destination = destinationIn(context, mode, provider);
  const today = context.clock.today();
  refuseClosedPeriod(document.issue_date, settings.closed_until, placeOf(prefix, "issue_date"));
  classified.warnings.push(...warnOrRefuse(request.objections, destination));
  if (destination !== "plain sandbox")
    classified.warnings.push(...warnAboutDate(document.issue_date, today, known.lastIssued));
  classified.warnings.push(...warnAboutEuNumber(document));
  const adapter = context.providers.get(provider);
  const { regime } = context.config.providers.registryDirect;
  const regimeCheck = checkRegime(document, classified.payments, adapter, regime);
  if (!request.isPreview) refuseByRegime(regimeCheck);
  classified.warnings.push(...regimeCheck.warnings);
  classified.warnings.push(...warnAboutRules(document, classified, known, destination));
  const { vat_payment_suspension: vatPaymentSuspension } = settings;
  classified.warnings.push(
    ...askAdapter(adapter, document, { today, prefix, vatPaymentSuspension, destination }),
  );
  const ownSeries = adapter.numbering === "ours" ? ownSeriesOf(document, settings) : null;
  return { adapter, classified, sentType: sentType(document), series: request.series ?? ownSeries };
}

/** The series of a document that names none and that we number. */
function ownSeriesOf({ type, supplier }: CanonicalDocument, { numbering }: IssuingSettings): string {
  return numbering[type]?.series ?? defaultSeries(type, supplier.branch);
}

/** The path of a field of the document. */
function placeOf(prefix: string, path: string): string {
  return prefix === "" ? path : `${prefix}.${path}`;
}

/** What the authority, or a strict sandbox in its place, would reject the document for. */
function warnAboutRules(
  document: CanonicalDocument,
  { lines: pairs }: Pick<ClassifiedDocument, "lines">,
  { originals, credit }: KnownOriginals,
  destination: Destination,
): Text[] {
  const areAllKnown = originals.length === originalMarksOf(document).length;
  const creditedTypes = areAllKnown ? originals.map((original) => original.sentType) : [];
  const findings = findBrokenRules({ document, sentType: sentType(document), pairs, creditedTypes });
  if (credit !== undefined) findings.push(...checkCredit(credit));
  const rejecter = destination === "strict sandbox" ? "strict sandbox" : "authority";
  return [
    ...findings.map((finding) => warningOf(finding, rejecter)),
    ...(credit === undefined ? [] : warnAboutTaxesOfCredit(credit)),
  ];
}

/**
 * Returns the provider's warnings. Throws `validation_failed` or `not_supported` for what the provider would certainly reject,
 * unless the destination only warns about it. `prefix` goes before the paths: `document`, or empty when the document is the
 * whole body.
 */
function askAdapter(
  adapter: ProviderAdapter,
  document: CanonicalDocument,
  options: { today: string; prefix: string; vatPaymentSuspension: boolean; destination: Destination },
): Text[] {
  const { today, vatPaymentSuspension } = options;
  const check = adapter.check?.(document, { sentType: sentType(document), today, vatPaymentSuspension });
  if (check === undefined) return [];
  const problems = check.problems.map(({ path, message }): Objection => {
    return { path: placeOf(options.prefix, path), message: toText(message), rule: "provider_format" };
  });
  return [...warnOrRefuse(problems, options.destination, check.code), ...check.warnings.map(toText)];
}

/** Warns of a number that no business of its country can have, if VAT is left out because of it (docs/contract.md#numbers-of-eu-customers). */
export function warnAboutEuNumber(document: CanonicalDocument): Text[] {
  const taxId = document.customer?.tax_id;
  if (taxId === undefined || !needsEuNumber(document) || hasFormOf(taxId)) return [];
  const { country } = taxId;
  return [
    {
      en: `customer.tax_id.code: does not have the form of a VAT number of ${country}, and the sale is without VAT because of that number`,
      el: `customer.tax_id.code: δεν έχει τη μορφή αριθμού ΦΠΑ της χώρας ${country}, και η πώληση είναι χωρίς ΦΠΑ λόγω αυτού του αριθμού`,
    },
  ];
}

/** Valid forms that the library does not know: Belgian numbers since 2023, and old Irish ones with a letter in second place. */
const FURTHER_FORMS = /^(?:BE1[0-9]{9}|IE[0-9][A-Z][0-9]{5}[A-Z])$/;

/** A number that still has its country's prefix has it twice here, except a French one, which may begin with the letters FR itself. */
function hasFormOf({ country, code }: { country: string; code: string }): boolean {
  // Northern Ireland's numbers have the form of the United Kingdom's.
  const number = (country === NORTHERN_IRELAND ? "GB" : country) + code;
  return FURTHER_FORMS.test(number) || checkVAT(number, countries).isValidFormat;
}

/** A document of today is never earlier than the last one, because none is issued for a later day. */
export function isBackdated({ clock }: Context, { issue_date: day }: CanonicalDocument): boolean {
  return day < clock.today();
}

/** Undefined if nothing was issued in the counter, or where no warning depends on it. */
async function readLastIssued(
  context: Context,
  session: Session,
  { document, series, mode, provider, settings }: AssessmentRequest,
): Promise<string | undefined> {
  if (!isBackdated(context, document)) return undefined;
  if (destinationIn(context, mode, provider) === "plain sandbox") return undefined;
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
