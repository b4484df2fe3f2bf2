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
  const missing: Text[] = [];
  if (customer.name === undefined)
    missing.push({
      en: `customer: no name, ${MUST_SHOW.en} ${ALTHOUGH.en}`,
      el: `πελάτης: χωρίς επωνυμία, ${MUST_SHOW.el}, ${ALTHOUGH.el}`,
    });
  if (customer.address === undefined)
    missing.push({
      en: `customer: no address, ${MUST_SHOW.en} ${ALTHOUGH.en}`,
      el: `πελάτης: χωρίς διεύθυνση, ${MUST_SHOW.el}, ${ALTHOUGH.el}`,
    });
  return missing;
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

const LACKING: Text = {
  en: "characters that the PDF's font lacks; it shows � instead",
  el: "χαρακτήρες που δεν έχει η γραμματοσειρά του PDF· εμφανίζεται � στη θέση τους",
};

/** One warning for each party's name and address, one for all lines, and one for the notes. They name the field and never repeat the text. */
export function findUnprintable({ supplier, customer, lines, notes = "" }: CanonicalDocument): Text[] {
  const affected = lines.flatMap(({ description }, index) => (isPrintable(description) ? [] : [index + 1]));
  return [
    ...warnAboutParty(supplier, { en: "supplier", el: "εκδότης" }),
    ...(customer === undefined ? [] : warnAboutParty(customer, { en: "customer", el: "πελάτης" })),
    ...warnAboutLines(affected),
    ...(isPrintable(notes)
      ? []
      : [{ en: `notes: they have ${LACKING.en}`, el: `παρατηρήσεις: έχουν ${LACKING.el}` }]),
  ];
}

function warnAboutParty({ name = "", address }: Party, who: Text): Text[] {
  const warn = (field: Text): Text => ({
    en: `${who.en}: the ${field.en} has ${LACKING.en}`,
    el: `${who.el}: ${field.el} έχει ${LACKING.el}`,
  });
  const place = Object.values(address ?? {}).join(" ");
  return [
    ...(isPrintable(name) ? [] : [warn({ en: "name", el: "η επωνυμία" })]),
    ...(isPrintable(place) ? [] : [warn({ en: "address", el: "η διεύθυνση" })]),
  ];
}

function warnAboutLines([first, ...others]: readonly number[]): Text[] {
  if (first === undefined) return [];
  const more = others.length;
  return [
    {
      en: `line ${first}${more === 0 ? "" : ` and ${more} more`}: the description has ${LACKING.en}`,
      el: `γραμμή ${first}${more === 0 ? "" : ` και ${more} ακόμη`}: η περιγραφή έχει ${LACKING.el}`,
    },
  ];
}
