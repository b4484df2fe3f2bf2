/** Completes a document whose prices have VAT: its lines without VAT, totals and payments (docs/contract.md#compute). Stores nothing. */
import * as v from "valibot";
import {
  type CanonicalDocument,
  CanonicalDocumentSchema,
  LineSchema,
  LINES_MAX,
  parseDocument,
  type Payment,
  PAYMENTS_MAX,
  typeInfo,
} from "../domain/canonical-document.ts";
import { GROSS_MAX, NET_MAX, UNIT_PRICE_MAX } from "../domain/document-codes.ts";
import { LINES_COME_TO_TOO_MUCH } from "../domain/document-rules.ts";
import { PaymentSchema } from "../domain/canonical-schema.ts";
import { payableOf } from "../domain/taxes.ts";
import { computeExactTotals } from "../domain/totals.ts";
import { component, described } from "../foundation/described.ts";
import { type Problem, validationError } from "../foundation/errors.ts";
import { integerBetween } from "../foundation/field-schemas.ts";
import { REQUIRED } from "../foundation/messages.ts";
import { parseWith } from "../foundation/validation.ts";
import { type LineInput, withNetPrices } from "./read-row.ts";

const { unit_price: _net, ...ofLine } = LineSchema.entries;
const {
  lines: _lines,
  payments: _payments,
  totals: _totals,
  ...ofDocument
} = CanonicalDocumentSchema.entries;

const GrossLineSchema = component(
  "GrossLine",
  "An item whose price has VAT.",
  v.strictObject({
    ...ofLine,
    unit_price_gross: described(
      integerBetween(0, UNIT_PRICE_MAX),
      "The price of one unit with VAT, in cents.",
    ),
  }),
);

export const GrossDocumentSchema = component(
  "GrossDocument",
  "A document whose prices have VAT, without totals.",
  v.strictObject({
    ...ofDocument,
    lines: described(
      v.pipe(v.array(GrossLineSchema), v.minLength(1), v.maxLength(LINES_MAX)),
      "The items, up to 1000.",
    ),
    payments: v.optional(
      described(
        v.pipe(
          v.array(
            v.strictObject({ ...PaymentSchema.entries, amount: v.optional(PaymentSchema.entries.amount) }),
          ),
          v.minLength(1),
          v.maxLength(PAYMENTS_MAX),
        ),
        "How it is paid. One payment may leave out its amount: it is of what the others leave.",
      ),
    ),
  }),
);
type GrossDocument = v.InferOutput<typeof GrossDocumentSchema>;

/** The document to issue or preview. Throws `validation_failed`. `today` is the day in Athens. */
export function computeDocument(body: unknown, today: string): CanonicalDocument {
  const { lines: given, payments, ...document } = parseWith(GrossDocumentSchema, body, "");
  const lines = netLinesOf(given);
  const exact = computeExactTotals(lines);
  if (exact.net > BigInt(NET_MAX) || exact.gross > BigInt(GROSS_MAX))
    throw validationError([{ path: "lines", message: LINES_COME_TO_TOO_MUCH }]);
  const totals = { net: Number(exact.net), vat: Number(exact.vat), gross: Number(exact.gross) };
  const payable = payableOf({ ...document, totals });
  const paid = payments ?? [{ method: typeInfo(document.type).defaultPaymentMethod }];
  const whole = { ...document, lines, payments: fillPayments(paid, payable), totals };
  return parseDocument(whole, { today, prefix: "" }).document;
}

function netLinesOf(given: GrossDocument["lines"]): LineInput[] {
  const problems: Problem[] = [];
  const lines = given.flatMap(({ unit_price_gross: price, ...line }, index) => {
    const path = `lines[${index}].unit_price_gross`;
    const report = (message: Problem["message"]) => void problems.push({ path, message });
    return withNetPrices({ ...line, unit_price: price } as LineInput, report) ?? [];
  });
  if (problems.length > 0) throw validationError(problems);
  return lines;
}

function fillPayments(payments: NonNullable<GrossDocument["payments"]>, payable: number): Payment[] {
  const [open, second] = payments.flatMap(({ amount }, index) => (amount === undefined ? [index] : []));
  if (second !== undefined)
    throw validationError([{ path: `payments[${second}].amount`, message: REQUIRED }]);
  const rest = payments.reduce((left, { amount = 0 }) => left - amount, payable);
  if (rest < 0 || (open === undefined && rest > 0))
    throw validationError([{ path: "payments", message: mustComeTo(payable) }]);
  return payments.map(({ method, amount = rest }) => ({ method, amount }));
}

const mustComeTo = (payable: number) => ({
  en: `must add up to what is payable, ${payable}`,
  el: `πρέπει να αθροίζουν στο πληρωτέο ποσό, ${payable}`,
});
