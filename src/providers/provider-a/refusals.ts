/**
 * Reads the provider's JSON, whose shape is only partly documented: values of an unexpected kind count as absent. Refusals come with any
 * HTTP status, 200 included (docs/provider-a.md#errors). `{status: "Invoice Errors", errors: [{title}]}` is the provider's own,
 * `{status: "myData Errors", errors: [{code, message}]}` the authority's; others are `{errors: [{title}]}`, `{errors: {field: [texts]}}`
 * and `{error: text}`.
 */
import { isObject } from "../../foundation/json.ts";
import { buildErrorObject, type ErrorCode, type ErrorObject } from "../../foundation/errors.ts";
import type { Text } from "../../foundation/text.ts";
import type { NotSentOutcome, RejectedOutcome, UnknownOutcome } from "../../domain/provider-adapter.ts";
import { verdictOf } from "../../domain/authority-codes.ts";

/** Trimmed text; undefined if empty. Codes and ids may also be numbers. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  return text === "" ? undefined : text;
}

/** A list, bare or under `data`; undefined otherwise. */
export function listOf(body: unknown): readonly unknown[] | undefined {
  if (Array.isArray(body)) return body;
  if (isObject(body) && Array.isArray(body["data"])) return body["data"];
  return undefined;
}

const DECIMAL = /^-?[0-9]{1,14}(\.[0-9]+)?$/;

/** An amount in euro, as a number or text, in cents; undefined if it is neither. */
export function centsOf(value: unknown): number | undefined {
  if (typeof value === "string" && !DECIMAL.test(value)) return undefined;
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const cents = Math.round(Number(value) * 100);
  return Number.isSafeInteger(cents) ? cents : undefined;
}

export interface Refusal {
  /** Who refused; `unnamed` if the reply does not say, as with refused questions. */
  by: "provider" | "authority" | "unnamed";
  /** At least one. `code` is the authority's number; null if there is none. */
  issues: readonly { code: string | null; text: string }[];
  /** The body as received. */
  raw: unknown;
}

/** The subject of the refusal, according to its wording. */
export type Topic = "reference_taken" | "billing_book" | "quota" | "not_found" | "other";

type Issue = Refusal["issues"][number];

const OWN_STATUS = /^invoice errors$/i;
/** Also spelt `myDATA Errors` in the provider's reference. */
const AUTHORITY_STATUS = /^mydata errors$/i;

/** The refusal in `body`; undefined if it is not one. */
export function readRefusal(body: unknown): Refusal | undefined {
  if (!isObject(body)) return undefined;
  const status = textOf(body["status"]) ?? "";
  const by = AUTHORITY_STATUS.test(status) ? "authority" : OWN_STATUS.test(status) ? "provider" : "unnamed";
  const issues = [...issuesOf(body["errors"]), ...issuesOf(body["error"])];
  if (issues.length === 0) {
    if (by === "unnamed") return undefined;
    // A refusal without a reason.
    issues.push({ code: null, text: status });
  }
  return { by, issues, raw: body };
}

function issuesOf(errors: unknown): Issue[] {
  if (typeof errors === "string") return errors.trim() === "" ? [] : [{ code: null, text: errors }];
  if (Array.isArray(errors)) return errors.flatMap(issueOf);
  if (!isObject(errors)) return [];
  return Object.entries(errors).flatMap(([field, texts]) =>
    (Array.isArray(texts) ? texts : [texts]).flatMap((text): Issue[] => {
      const words = textOf(text);
      return words === undefined ? [] : [{ code: null, text: `${field}: ${words}` }];
    }),
  );
}

function issueOf(error: unknown): Issue[] {
  if (typeof error === "string") return issuesOf(error);
  if (!isObject(error)) return [];
  const code = textOf(error["code"]) ?? null;
  const text = textOf(error["title"]) ?? textOf(error["message"]) ?? textOf(error["detail"]) ?? code;
  return text === null ? [] : [{ code, text }];
}

const REFERENCE = /external[ _]?id/i;
const TAKEN = /already|used|taken|exists\b|unique|χρησιμοποι|υπάρχει/i;
const BILLING_BOOK = /billing[ _-]?book/i;
/** Nothing about an exhausted plan is published; a refusal for it must contain these words. */
const PLAN = /\b(quota|plan|subscription|balance|credits)\b|invoice limit|limit of invoices/i;
const EXHAUSTED =
  /exceed|reach|exhaust|expire|insufficient|inactive|not active|no active|upgrade|\bno\b.*\bleft\b|run out/i;
const GREEK_PLAN =
  /(συνδρομ|πακέτο|πλάνο|υπόλοιπο|όριο παραστατικών).*(έληξε|λήξει|εξαντλ|επαρκ|υπέρβαση|ξεπερ|ανεπαρκ)|(ανεπαρκ|εξαντλ|υπέρβαση|ξεπερ).*(συνδρομ|πακέτο|πλάνο|υπόλοιπο|όρι)/i;
const NOT_FOUND = /\bnot found\b|could ?n[o']t find|does not exist|δεν βρέθηκε/i;
/** The provider's own refusals also speak of other missing things; only the invoice itself counts. */
const INVOICE_NOT_FOUND = /\b(invoice|record|document)( was| is)? not found\b/i;

/** Longer texts are not refusals, and searching them for words in order would block everything else. */
const WORDS_MAX = 2000;

/** The topic of the first issue that has one. The authority's words are never searched. */
export function topicOf(refusal: Refusal): Topic {
  if (refusal.by === "authority") return "other";
  for (const { text: words } of refusal.issues) {
    const text = words.slice(0, WORDS_MAX);
    if (REFERENCE.test(text) && TAKEN.test(text)) return "reference_taken";
    if (BILLING_BOOK.test(text)) return "billing_book";
    if ((PLAN.test(text) && EXHAUSTED.test(text)) || GREEK_PLAN.test(text)) return "quota";
    if ((refusal.by === "provider" ? INVOICE_NOT_FOUND : NOT_FOUND).test(text)) return "not_found";
  }
  return "other";
}

/** `message` with the provider's own words: the first code, and the texts joined by `; ` (docs/contract.md#error-object). */
export function errorOf(refusal: Refusal | undefined, code: ErrorCode, message: Text): ErrorObject {
  if (refusal === undefined) return buildErrorObject(code, message);
  return buildErrorObject(code, message, {
    provider_code: refusal.issues.find((issue) => issue.code !== null)?.code ?? null,
    provider_message: refusal.issues.map(({ text }) => text).join("; "),
    provider_raw: refusal.raw,
  });
}

/** A reply that shows nothing for certain, about a document, a list or the account. It is stored with its call. */
const UNCLEAR: Text = {
  en: "The provider's response does not show for certain what happened",
  el: "Η απάντηση του παρόχου δεν δείχνει με βεβαιότητα τι έγινε",
};

export function unclear(refusal?: Refusal): UnknownOutcome {
  return { kind: "unknown", error: errorOf(refusal, "provider_unavailable", UNCLEAR) };
}

/** The outcome of a document that cannot be sent as it is. */
export function refusedFor(message: Text): RejectedOutcome {
  return { kind: "rejected", error: buildErrorObject("validation_failed", message) };
}

/** The outcome of a document that waits for something of the provider's, which refused or did not show it. */
export function waitsFor(refusal: Refusal | undefined, message: Text): NotSentOutcome {
  return { kind: "not_sent", error: errorOf(refusal, "provider_unavailable", message) };
}

/**
 * An error of the authority that is not a verdict on the document (docs/authority.md#error-classes): the account may
 * not act, the uid is already known, or the authority failed. Undefined if the document was refused.
 */
export function undecidedOf(
  refusal: Refusal,
): { kind: "credentials_refused" | "unknown"; error: ErrorObject } | undefined {
  if (refusal.by !== "authority") return undefined;
  const verdicts = new Set(refusal.issues.map(({ code, text }) => verdictOf(code, text)));
  if (verdicts.has("credentials")) {
    const message = {
      en: "The tax authority does not let this account act for the supplier; check its rights there",
      el: "Η ΑΑΔΕ δεν επιτρέπει σε αυτόν τον λογαριασμό να ενεργεί για τον εκδότη· ελέγξτε εκεί τα δικαιώματά του",
    };
    return { kind: "credentials_refused", error: errorOf(refusal, "provider_credentials_invalid", message) };
  }
  if (!verdicts.has("registered") && !verdicts.has("technical")) return undefined;
  const message = {
    en: "The tax authority did not decide on the document; the provider will be asked about it",
    el: "Η ΑΑΔΕ δεν αποφάνθηκε για το παραστατικό· θα ερωτηθεί ο πάροχος",
  };
  return { kind: "unknown", error: errorOf(refusal, "provider_unavailable", message) };
}

/** The document was read and refused, which is final: sending it again changes nothing. */
export function rejectionOf(refusal: Refusal, topic: Topic = topicOf(refusal)): RejectedOutcome {
  if (topic === "quota") {
    const message = {
      en: "The provider's plan allows no more documents; extend the plan, then issue the document again",
      el: "Το πακέτο στον πάροχο δεν επιτρέπει άλλα παραστατικά· επεκτείνετέ το και εκδώστε ξανά το παραστατικό",
    };
    return { kind: "rejected", error: errorOf(refusal, "balance_exceeded", message) };
  }
  const message =
    refusal.by === "authority"
      ? {
          en: "The tax authority refused the document; correct it and issue it again",
          el: "Η ΑΑΔΕ απέρριψε το παραστατικό· διορθώστε το και εκδώστε το ξανά",
        }
      : {
          en: "The provider refused the document; correct it and issue it again",
          el: "Ο πάροχος απέρριψε το παραστατικό· διορθώστε το και εκδώστε το ξανά",
        };
  return { kind: "rejected", error: errorOf(refusal, "provider_rejected", message) };
}
