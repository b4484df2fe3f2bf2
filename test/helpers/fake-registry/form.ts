/**
 * Checks whether a message is a valid InvoicesDoc 2.0.2: elements, their order, namespaces and values, as far as
 * sales, services, credit notes and receipts use them (docs/authority.md#element-order). Any violation rejects the
 * whole message (101).
 */
import { XMLParser } from "fast-xml-parser";

const INVOICE = "http://www.aade.gr/myDATA/invoice/v1.0";
/** The authority's spelling. */
const INCOME = "https://www.aade.gr/myDATA/incomeClassificaton/v1.0";

/** The children of each element in order; `?` is optional, `+` one or more, `*` any number. */
const CHILDREN: Readonly<Record<string, string>> = {
  InvoicesDoc: "invoice+",
  invoice:
    "transmissionFailure? issuer? counterpart? invoiceHeader paymentMethods? invoiceDetails+ taxesTotals? invoiceSummary",
  issuer: "vatNumber country branch name? address? documentIdNo?",
  counterpart: "vatNumber country branch name? address? documentIdNo?",
  address: "street? number? postalCode city",
  invoiceHeader:
    "series aa issueDate invoiceType vatPaymentSuspension? currency? exchangeRate? correlatedInvoices* selfPricing? specialInvoiceCategory? multipleConnectedMarks*",
  paymentMethods: "paymentMethodDetails+",
  paymentMethodDetails: "type amount paymentMethodInfo?",
  invoiceDetails:
    "lineNumber recType? itemDescr? quantity? measurementUnit? netValue vatCategory vatAmount vatExemptionCategory? discountOption? lineComments? incomeClassification*",
  incomeClassification: "classificationType? classificationCategory amount id?",
  invoiceSummary:
    "totalNetValue totalVatAmount totalWithheldAmount totalFeesAmount totalStampDutyAmount totalOtherTaxesAmount totalDeductionsAmount totalGrossValue incomeClassification*",
};

/** At most two decimals, 15 digits in all. */
const AMOUNT = /^(?=[\d.]{1,16}$)\d+(\.\d{1,2})?$/;
const TEXT = (lengthMax: number) => new RegExp(`^[^]{0,${lengthMax}}$`, "u");
const INTEGER = /^\d{1,10}$/;
const upTo = (last: number) =>
  new RegExp(`^(${Array.from({ length: last }, (_, index) => index + 1).join("|")})$`);

/** The forms of values, by element; other elements may contain any text. */
const VALUES: Readonly<Record<string, RegExp>> = {
  transmissionFailure: upTo(4),
  vatNumber: TEXT(30),
  country: /^(?!EL|XI|XK|BQ|CW|SS|SX)[A-Z]{2}$/,
  branch: INTEGER,
  name: TEXT(200),
  street: TEXT(150),
  city: TEXT(150),
  series: TEXT(50),
  aa: TEXT(50),
  issueDate: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/,
  invoiceType: /^(1\.[1-6]|2\.[1-4]|3\.[12]|5\.[12]|6\.[12]|7\.1|8\.[12]|11\.[1-5])$/,
  currency: /^[A-Z]{3}$/,
  correlatedInvoices: /^\d{1,19}$/,
  type: upTo(8),
  amount: AMOUNT,
  lineNumber: /^[1-9]\d{0,9}$/,
  netValue: AMOUNT,
  vatCategory: upTo(10),
  vatAmount: AMOUNT,
  vatExemptionCategory: upTo(31),
  classificationType: /^E3_\d{3}(_\d{3})?$/,
  classificationCategory: /^category(1_(10|[1-9]|95)|3)$/,
};

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  ignoreDeclaration: true,
  parseTagValue: false,
  trimValues: true,
});

/** As the parser returns it: an element is an object of its name and `:@`, text one of `#text`. */
type Node = Record<string, unknown>;

/** What is wrong with the message, as a sentence; undefined if it is valid. */
export function findFormError(xml: string): string | undefined {
  let roots: Node[];
  try {
    roots = parser.parse(xml, true) as Node[];
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const [root] = roots;
  if (root === undefined) return "Root element is missing.";
  return nameOf(root) === "InvoicesDoc"
    ? checkElement(root, new Map())
    : "The root element is not InvoicesDoc.";
}

function nameOf(node: Node): string {
  const qualified = Object.keys(node).find((key) => key !== ":@") ?? "";
  return qualified.slice(qualified.indexOf(":") + 1);
}

/** Checks an element and its descendants; `scope` has the namespaces in effect. */
function checkElement(node: Node, scope: ReadonlyMap<string, string>, parent?: string): string | undefined {
  const qualified = Object.keys(node).find((key) => key !== ":@") ?? "";
  const name = nameOf(node);
  const namespaces = new Map(scope);
  for (const [key, value] of Object.entries((node[":@"] ?? {}) as Record<string, string>)) {
    const [, prefix = ""] = /^@_xmlns(?::(.+))?$/.exec(key) ?? ["", undefined];
    if (key.startsWith("@_xmlns")) namespaces.set(prefix, value);
  }
  const prefix = qualified.includes(":") ? qualified.slice(0, qualified.indexOf(":")) : "";
  const wanted = parent === "incomeClassification" ? INCOME : INVOICE;
  if (namespaces.get(prefix) !== wanted) return `The element '${name}' is not expected in its namespace.`;
  return checkContent(name, (node[qualified] ?? []) as Node[], namespaces);
}

function checkContent(
  name: string,
  content: readonly Node[],
  scope: ReadonlyMap<string, string>,
): string | undefined {
  const elements = content.filter((child) => !("#text" in child));
  const text = content.map((child) => ("#text" in child ? String(child["#text"]) : "")).join("");
  const children = CHILDREN[name];
  if (children === undefined) {
    if (elements.length > 0) return `The element '${name}' has elements.`;
    const form = name.startsWith("total") ? AMOUNT : VALUES[name];
    return form === undefined || form.test(text)
      ? undefined
      : `The element '${name}' has a value of another form.`;
  }
  if (text !== "") return `The element '${name}' has text.`;
  const order = children.replaceAll(/(\w+)([?*+]?)\s*/g, "(?:$1 )$2");
  if (!new RegExp(`^${order}$`).test(elements.map((child) => `${nameOf(child)} `).join(""))) {
    return `The elements of '${name}' are not those that are expected, or in another order.`;
  }
  for (const child of elements) {
    const wrong = checkElement(child, scope, name);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
