/** Reads line items as a person types them, `description; quantity; price; vat` (docs/contract.md#new-documents), or asks for them. */
import {
  UNIT_PRICE_MAX,
  VAT_CATEGORIES,
  VAT_WORDS,
  type VatCategory,
} from "../../../src/domain/document-codes.ts";
import { computeExactTotals } from "../../../src/domain/totals.ts";
import type { Text } from "../../../src/foundation/text.ts";
import { type Reading, readUnit, readVatCategory } from "../../../src/intake/cell-values.ts";
import type { LineInput } from "../../../src/intake/read-row.ts";
import type { Appliance } from "../../../src/appliance.ts";
import { problemAt } from "../../../src/documents/issue-request.ts";
import type { Mode } from "../../../src/domain/vocabulary.ts";
import { printProblem, type ProgramIo } from "../../io.ts";
import { askText, askWhich, requirePrompt } from "../../ui/prompt.ts";
import { moneyText } from "../../../src/operations/view.ts";
import { linesOf, readTypedNumber, readTypedPrice } from "../../../src/intake/typed-line.ts";
import { formatEuro } from "../../../src/foundation/money.ts";

const FLAG = "--line";

/** Whether prices are with VAT: retail prices usually are. */
export async function askGross(io: ProgramIo, isRetail: boolean): Promise<boolean> {
  requirePrompt(io, FLAG);
  const choices = [
    { value: "net", name: { en: "without VAT", el: "χωρίς ΦΠΑ" } },
    { value: "gross", name: { en: "with VAT", el: "με ΦΠΑ" } },
  ] as const;
  const message = { en: "Prices are", el: "Οι τιμές είναι" };
  const initial = isRetail ? "gross" : "net";
  return (await askWhich(io, choices, { flag: "--gross", message, initial })) === "gross";
}

/** At least one line; an empty description ends. `usual` is the VAT category that is suggested first. */
export async function askLines(
  io: ProgramIo,
  appliance: Appliance,
  mode: Mode,
  { isGross, usual }: { isGross: boolean; usual: VatCategory },
): Promise<LineInput[]> {
  const checkOf: CheckOf = (field) => (value) => {
    const body = { document: { lines: [{ [field]: value }] } };
    return problemAt(appliance, mode, { body, path: `document.lines[0].${field}` });
  };
  const typed: LineInput[] = [];
  const lines: LineInput[] = [];
  let suggested = usual;
  for (;;) {
    const description = await askDescription(io, typed.length, checkOf("description"));
    if (description === "") return typed;
    const line = { description, ...(await askAmounts(io, isGross, suggested, checkOf)) };
    const built = linesOf(line, isGross);
    if ("problem" in built) {
      await printProblem(io, aboutPrice(built.problem));
      continue;
    }
    typed.push(line);
    lines.push(...built);
    suggested = line.vat_category;
    const { net, vat, gross } = computeExactTotals(lines);
    await printProblem(io, totalText(moneyText(net), moneyText(vat), moneyText(gross)));
  }
}

function totalText(net: Text, vat: Text, gross: Text): Text {
  return {
    en: `So far: net ${net.en}, VAT ${vat.en}, total ${gross.en}`,
    el: `Μέχρι εδώ: καθαρή αξία ${net.el}, ΦΠΑ ${vat.el}, σύνολο ${gross.el}`,
  };
}

/** Returns what is wrong with a value of a line's field. */
type CheckOf = (field: keyof LineInput) => (value: unknown) => Text | undefined;

async function askDescription(io: ProgramIo, count: number, check: ReturnType<CheckOf>): Promise<string> {
  const message =
    count === 0
      ? { en: "Line 1: description", el: "Γραμμή 1: περιγραφή" }
      : {
          en: `Line ${count + 1}: description (Enter if there is none)`,
          el: `Γραμμή ${count + 1}: περιγραφή (Enter αν δεν υπάρχει άλλη)`,
        };
  const answer = await askText(io, {
    flag: FLAG,
    message,
    check: (text) => (count > 0 && text.trim() === "" ? undefined : check(text.trim())),
  });
  return answer.trim();
}

async function askAmounts(
  io: ProgramIo,
  isGross: boolean,
  suggested: VatCategory,
  checkOf: CheckOf,
): Promise<Omit<LineInput, "description">> {
  const quantity = { en: "Quantity (also 2.5 kg)", el: "Ποσότητα (και 2,5 κιλά)" };
  const checkQuantity = checkOf("quantity");
  const amount = await askReading(
    io,
    quantity,
    readTypedQuantity,
    (read) => checkQuantity(read.quantity),
    "1",
  );
  const price = isGross
    ? { en: "Unit price with VAT", el: "Τιμή μονάδας με ΦΠΑ" }
    : { en: "Unit price without VAT", el: "Τιμή μονάδας χωρίς ΦΠΑ" };
  const cents = await askReading(io, price, readNamedPrice);
  const category = await askWhich(io, VAT_CHOICES, {
    flag: FLAG,
    message: { en: "VAT", el: "ΦΠΑ" },
    initial: suggested,
  });
  const line = { ...amount, unit_price: cents, vat_category: category };
  if (category !== "exempt") return line;
  const checkExemption = checkOf("vat_exemption");
  const cause = { en: "Exemption cause, 1 to 31", el: "Αιτία εξαίρεσης, 1 έως 31" };
  const exempt = await askReading(
    io,
    cause,
    (text) => readTypedVat(`0% (${text.trim()})`),
    (read) => checkExemption(read.vat_exemption),
  );
  return { ...line, ...exempt };
}

export const VAT_CHOICES = (Object.keys(VAT_CATEGORIES) as VatCategory[]).map((value) => {
  const [{ ratePercent }, { en, el }] = [VAT_CATEGORIES[value], VAT_WORDS[value]];
  return { value, name: { en: `${ratePercent}% ${en}`, el: `${ratePercent}% ${el}` } };
});

/** Asks until the answer can be read, and `checkValue` finds nothing wrong with its value. */
async function askReading<Value>(
  io: ProgramIo,
  message: Text,
  read: (text: string) => Reading<Value>,
  checkValue: (value: Value) => Text | undefined = () => undefined,
  initial?: string,
): Promise<Value> {
  const check = (text: string) => {
    const reading = read(text);
    return "problem" in reading ? reading.problem : checkValue(reading.value);
  };
  const reading = read(await askText(io, { flag: FLAG, message, initial, check }));
  if ("problem" in reading) throw new Error("An answer that was checked cannot be read");
  return reading.value;
}

const PARTS_MIN = 4;

/** A description may contain semicolons: the last three parts are the others. */
export function readTypedLine(text: string): Reading<LineInput> {
  const parts = text.split(";").map((part) => part.trim());
  const [vat = "", price = "", quantity = ""] = parts.slice(-3).reverse();
  const description = parts.slice(0, -3).join("; ");
  if (parts.length < PARTS_MIN || description === "") return { problem: FORM };
  const amount = readTypedQuantity(quantity);
  if ("problem" in amount) return amount;
  const cents = readNamedPrice(price);
  if ("problem" in cents) return cents;
  const rate = readTypedVat(vat);
  if ("problem" in rate) return rate;
  return { value: { description, ...amount.value, unit_price: cents.value, ...rate.value } };
}

const FORM: Text = {
  en: 'has the form "description; quantity; price; vat"',
  el: 'έχει τη μορφή "περιγραφή; ποσότητα; τιμή; ΦΠΑ"',
};

/** `2`, `2,5 kg` or `2.5 κιλά`. */
function readTypedQuantity(text: string): Reading<Pick<LineInput, "quantity" | "unit">> {
  const [, number = "", word = ""] = /^([0-9.,\s]*)(.*)$/u.exec(text.trim()) ?? [];
  const quantity = readTypedNumber(number);
  if ("problem" in quantity) return { problem: about(QUANTITY, quantity.problem) };
  if (word === "") return { value: { quantity: quantity.value } };
  const unit = readUnit(word);
  if ("problem" in unit) return { problem: about(UNIT, unit.problem) };
  return { value: { quantity: quantity.value, unit: unit.value } };
}

function readNamedPrice(text: string): Reading<number> {
  const price = readTypedPrice(text);
  if ("problem" in price) return { problem: aboutPrice(price.problem) };
  return price.value > UNIT_PRICE_MAX ? { problem: aboutPrice(TOO_HIGH) } : price;
}

/** A rate or category, and for one without VAT the cause: `24%`, `0% (14)`, `exempt 14`. */
function readTypedVat(text: string): Reading<Pick<LineInput, "vat_category" | "vat_exemption">> {
  const [, before, cause] = /^(.*[^0-9\s(])[\s(]+([0-9]{1,2})\)?$/u.exec(text.trim()) ?? [];
  const rate = before ?? text.trim();
  const category = readVatCategory(rate);
  if ("problem" in category) return { problem: about(VAT, category.problem) };
  if (category.value === "exempt" && cause === undefined) return { problem: about(VAT, NO_CAUSE) };
  const exemption = cause === undefined ? {} : { vat_exemption: Number(cause) };
  return { value: { vat_category: category.value, ...exemption } };
}

const { en, el } = moneyText(UNIT_PRICE_MAX);
const TOO_HIGH: Text = { en: `must be at most ${en}`, el: `πρέπει να είναι το πολύ ${el}` };
const QUANTITY: Text = { en: "the quantity", el: "η ποσότητα" };
const UNIT: Text = { en: "the unit", el: "η μονάδα" };
const PRICE: Text = { en: "the price", el: "η τιμή" };
const VAT: Text = { en: "the VAT", el: "ο ΦΠΑ" };
const NO_CAUSE: Text = {
  en: "needs the exemption cause, 1 to 31: 0% (14)",
  el: "χρειάζεται την αιτία εξαίρεσης, 1 έως 31: 0% (14)",
};
export function aboutPrice(problem: Text): Text {
  return about(PRICE, problem);
}

function about(what: Text, problem: Text): Text {
  return { en: `${what.en} ${problem.en}`, el: `${what.el} ${problem.el}` };
}

/** The line as `--line` takes it. */
export function formatTypedLine(line: LineInput): string {
  const { quantity, unit, vat_exemption: cause } = line;
  const amount = unit === undefined ? decimal(quantity) : `${decimal(quantity)} ${unit}`;
  const rate = `${VAT_CATEGORIES[line.vat_category].ratePercent}%`;
  const vat = cause === undefined ? rate : `${rate} (${cause})`;
  return [line.description, amount, formatEuro(line.unit_price), vat].join("; ");
}

/** A quantity of three decimals needs a fourth digit, or it would be ambiguous. */
function decimal(quantity: string): string {
  return /^[1-9][0-9]{0,2}\.[0-9]{3}$/.test(quantity) ? `0${quantity}` : quantity;
}
