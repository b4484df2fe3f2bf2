/**
 * The authority's error codes (mydata facts, part 10): what each says, in our words, and which of them are no verdict on
 * the document. Its own messages are shown beside this and never matched, but for one: they are Greek, and change.
 */

/**
 * - `refused`: the document, or the cancellation, was read and refused for good.
 * - `credentials`: the account may not act for this tax number. Nothing is registered.
 * - `registered`: the uid is known already, so that only a look-up tells what is registered under it.
 * - `technical`: the authority failed at it. It may be registered.
 */
export type Verdict = "refused" | "credentials" | "registered" | "technical";

/** The code with which a whole message is refused whose XML does not fit the schema. */
export const SYNTAX_ERROR = "101";
/** The cancellation was asked for before. */
export const ALREADY_CANCELLED = "251";

/** Of the refusals of an account those that are about the tax number that it acts for, and not about the account as such. */
const ABOUT_SUPPLIER: ReadonlySet<string> = new Set(["105", "245"]);

/** Whether the refusal is about one tax number alone. */
export function isAboutSupplier(code: string | null): boolean {
  return ABOUT_SUPPLIER.has(code ?? "");
}

const VERDICTS: Readonly<Record<string, Verdict>> = {
  "105": "credentials",
  "201": "credentials",
  "245": "credentials",
  "206": "technical",
  "310": "technical",
  "335": "technical",
  "233": "registered",
  "259": "registered",
  "275": "registered",
  "277": "registered",
};

/** 228 has two meanings: an invalid type, or a uid that was sent before. Only its text tells them apart (facts, part 7). */
const UID_OR_TYPE = "228";
const UID_SENT_BEFORE = /\buid\b.*already/is;

/** What a code, with the message that came along, says about what was sent. */
export function verdictOf(code: string | null, message: string | null): Verdict {
  if (code === UID_OR_TYPE && UID_SENT_BEFORE.test(message ?? "")) return "registered";
  return VERDICTS[code ?? ""] ?? "refused";
}

const MEANINGS: Readonly<Record<string, string>> = {
  "101": "the XML does not fit the authority's schema",
  "102": "a tax number is not active",
  "103": "the MARK that the request needs is missing",
  "104": "no document has the MARK that is referred to",
  "105": "the account has no right to act for this tax number",
  "201": "the account is not authorised for this operation",
  "202": "a Greek tax number is not valid",
  "203": "the gross total is not net plus VAT and taxes",
  "204": "an element that this type needs is missing",
  "205": "an element is not allowed for this type",
  "206": "a technical error in a line",
  "207": "the net total differs from the lines",
  "208": "the gross total differs from the lines",
  "209": "the VAT total differs from the lines",
  "210": "the withheld total differs from the lines",
  "211": "an exchange rate stands beside euro",
  "212": "the number of a Greek issuer must be a non-negative integer",
  "213": "a value must be 0",
  "214": "a flag must be true or absent",
  "215": "the VAT category must be exempt here",
  "216": "the VAT category must not be 8",
  "217": "the cause of a VAT exemption is missing",
  "218": "the VAT amount must be 0",
  "219": "name and address of a Greek issuer are not allowed",
  "220": "the name of a Greek customer is not allowed",
  "222": "a value must be above 0",
  "223": "the type of document is not supported any more",
  "224": "taxes stand both on lines and in the totals",
  "225": "an element must come together with another",
  "226": "the total of a tax differs from its parts",
  "227": "an amount and its category do not come together",
  "228": "the type of document is not valid, or the uid was sent before",
  "229": "an amount does not fit its category",
  "230": "an element that each line needs is missing",
  "231": "an element is not allowed on lines",
  "233": "the uid was sent before",
  "234": "this VAT category is not allowed here",
  "235": "issuer and customer are the same",
  "236": "the account's tax number is not the issuer's",
  "238": "the issue date must be today",
  "242": "the customer must be Greek for this type",
  "243": "the customer must be in another EU country for this type",
  "244": "the customer must be outside the EU for this type",
  "245": "the issuer has not authorised the provider",
  "248": "the document was not sent by this tax number",
  "249": "the document was issued through a provider; credit it instead",
  "250": "the document was issued with the authority's own application",
  "251": "the document is cancelled already",
  "252": "the MARK is not that of an invoice",
  "253": "the issue date is outside the permitted range",
  "255": "an active document is connected with it; cancel that one first",
  "257": "the document was sent by a cash register",
  "259": "an earlier document of this uid is still connected with active ones",
  "260": "the issue date is in the future",
  "261": "line numbers are not unique",
  "262": "a value is too long",
  "271": "the cause of a VAT exemption stands on a line that is not exempt",
  "272": "an element that this type needs is missing",
  "273": "an element is not allowed for this type",
  "274": "an element that this type needs is missing",
  "275": "the uid stands twice in the message",
  "277": "the uid stands twice in the message",
  "279": "the document cannot be cancelled",
  "287": "the country must not be Greece",
  "301": "no document of this tax number has the MARK",
  "304": "either all lines are classified or none",
  "305": "a classification stands twice",
  "306": "the classifications of a line do not add up to its net amount",
  "307": "the income type is not allowed with its category",
  "308": "the income category is not allowed for this type",
  "309": "a classification is not allowed for this party",
  "311": "a classification is missing in the summary",
  "312": "a classification of the summary differs from the lines",
  "313": "the income type and category are not allowed for this type",
  "318": "a field differs from the document that is credited",
  "319": "the amount is above that of the document that is credited",
  "320": "the credited document is of a type that cannot be credited so",
  "321": "the summary has a classification that the lines have not",
  "322": "the credited document is of a type that cannot be credited so",
  "331": "the combination of type and classification is not valid",
  "407": "the payments are above the total",
};

/** What `code` says, as half a sentence; undefined for a code that is not in the list. */
export function meaningOf(code: string | null): string | undefined {
  return code === null ? undefined : MEANINGS[code];
}
