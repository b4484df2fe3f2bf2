/**
 * Lists what a person should see of a document besides the warnings of its classification: the payment that is assumed, what its
 * paper would lack although the registry does not need it, such as names and addresses (VAT Directive, article 226(5);
 * L. 4308/2014, article 9), and text that our PDF cannot show. The contract accepts Greek parties with a tax number alone.
 */
import type { CanonicalDocument, Party, Payment } from "../domain/canonical-document.ts";
import { PAYMENT_WORDS } from "../domain/document-codes.ts";
import type { ProviderAdapter } from "../domain/provider-adapter.ts";
import type { Text } from "../foundation/text.ts";
import type { Settings } from "../merchants/settings.ts";

const MUST_SHOW = { en: "which an invoice must show", el: "που πρέπει να φαίνεται στο τιμολόγιο" };
const ALTHOUGH = {
  en: "although the registry does not need it",
  el: "αν και η ΑΑΔΕ δεν τη χρειάζεται",
};

/** `payments` are those that are sent. Text that a PDF cannot show matters only where the PDF is ours. */
export function findNotes(
  document: CanonicalDocument,
  payments: readonly Payment[],
  { hasPdf }: Pick<ProviderAdapter, "hasPdf">,
): Text[] {
  return [
    ...(document.payments === undefined ? payments.map(assumedPayment) : []),
    ...findMissingOfCustomer(document),
    ...(hasPdf === false ? findUnprintable(document) : []),
  ];
}

function assumedPayment({ method }: Payment): Text {
  return {
    en: `payments: none given, all that is payable is sent as ${method}`,
    el: `πληρωμές: δεν δόθηκαν, όλο το πληρωτέο στέλνεται ως «${PAYMENT_WORDS[method].el}»`,
  };
}

/** One note for each detail of the customer that any paper would lack; none for receipts, which name no customer. */
function findMissingOfCustomer({ customer }: CanonicalDocument): Text[] {
  if (customer === undefined) return [];
  const missing = [
    ...(customer.name === undefined ? [{ en: "name", el: "επωνυμία" }] : []),
    ...(customer.address === undefined ? [{ en: "address", el: "διεύθυνση" }] : []),
  ];
  return missing.map(({ en, el }) => ({
    en: `customer: no ${en}, ${MUST_SHOW.en} ${ALTHOUGH.en}`,
    el: `πελάτης: χωρίς ${el}, ${MUST_SHOW.el}, ${ALTHOUGH.el}`,
  }));
}

/** What our own PDF would lack of the supplier. Only a person who previews a document sees this: others may print it themselves. */
export function findMissingOfSupplier(
  { supplier, customer }: CanonicalDocument,
  { address, branches = {} }: Settings["paper"],
): Text[] {
  if (customer === undefined || supplier.address !== undefined) return [];
  if ((branches[String(supplier.branch)]?.address ?? address) !== undefined) return [];
  return [
    {
      en: `supplier: no address, ${MUST_SHOW.en}: give supplier.address, or set the merchant's paper.address`,
      el: `εκδότης: χωρίς διεύθυνση, ${MUST_SHOW.el}: δώστε supplier.address ή ορίστε το paper.address της επιχείρησης`,
    },
  ];
}

/**
 * The font of our PDF (Noto Sans: Latin, Greek, Cyrillic) is too large to be loaded for each document, so what it has is listed here
 * (docs/paper.md#contents). Code points in hexadecimal: ranges, which also span unassigned ones.
 */
const SHOWN = [
  "21-3e1 3f0-530 900-97f 10fb 1ab0-1ac0 1ac5 1ac7-1ace 1c80-1c88 1d00-1df9 1dfb-20c0 20f0-215f 2183-2184 2189 2212 25cc",
  "2c60-2c7f 2de0-2e7f a640-a69f a700-a7ca a7d0-a7d1 a7d3 a7d5-a7d9 a7f2-a7ff a8ff a92e ab30-ab6f fb00-fb12 fe20-fe2f",
  "fffc-ffff 10780-107ff 1df00-1df24",
].flatMap((row) =>
  row.split(" ").map((range) => {
    const [from = "", to = from] = range.split("-");
    return { from: Number.parseInt(from, 16), to: Number.parseInt(to, 16) };
  }),
);

/** Spaces, and characters that are invisible or not assigned. */
const NOT_DRAWN = /[\s\p{Cc}\p{Cn}\p{Co}\p{Default_Ignorable_Code_Point}]/u;

function isShown(character: string): boolean {
  const codePoint = character.codePointAt(0)!;
  return SHOWN.some(({ from, to }) => from <= codePoint && codePoint <= to) || NOT_DRAWN.test(character);
}

/** Latin and Greek without combining marks, of which most texts consist. The font has these characters, and what NFC makes of them. */
const ORDINARY = /^[ -\u02ff\u0370-\u03e1]*$/;

/** Whether the PDF shows every character of `text`. */
export function isPrintable(text: string): boolean {
  if (ORDINARY.test(text)) return true;
  for (const character of text.normalize("NFC")) if (!isShown(character)) return false;
  return true;
}

/** More fields are not named. */
const NAMED_MAX = 5;

/** Names the fields with text that the PDF cannot show, and never repeats the text. */
export function findUnprintable({ supplier, customer, lines, notes = "" }: CanonicalDocument): Text[] {
  const texts = [
    ...textsOf("supplier", supplier),
    ...(customer === undefined ? [] : textsOf("customer", customer)),
    ...lines.map(({ description }, index) => [`lines[${index}].description`, description] as const),
    ["notes", notes] as const,
  ];
  const fields = texts.flatMap(([path, text]) => (isPrintable(text) ? [] : [path]));
  if (fields.length === 0) return [];
  const named = fields.length > NAMED_MAX ? [...fields.slice(0, NAMED_MAX), "…"] : fields;
  return [
    {
      en: `${named.join(", ")}: characters that the PDF's font lacks; it shows � instead`,
      el: `${named.join(", ")}: χαρακτήρες που δεν έχει η γραμματοσειρά του PDF· εμφανίζεται � στη θέση τους`,
    },
  ];
}

function textsOf(path: string, { name = "", address }: Party): (readonly [path: string, text: string])[] {
  return [
    [`${path}.name`, name],
    [`${path}.address`, Object.values(address ?? {}).join(" ")],
  ];
}
