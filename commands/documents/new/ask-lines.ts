/** Asks for the lines of a new document, with the total after each. */
import { VAT_CATEGORIES, VAT_WORDS, type VatCategory } from "../../../src/domain/document-codes.ts";
import { computeExactTotals } from "../../../src/domain/totals.ts";
import type { Text } from "../../../src/foundation/text.ts";
import type { Reading } from "../../../src/intake/cell-values.ts";
import { type LineInput, type LineParts } from "../../../src/intake/read-row.ts";
import type { Appliance } from "../../../src/appliance.ts";
import { problemAt } from "../../../src/documents/issue-request.ts";
import type { Mode } from "../../../src/domain/vocabulary.ts";
import { type ProgramIo, printProblem } from "../../io.ts";
import { askText, askWhich, requirePrompt } from "../../ui/prompt.ts";
import { moneyText } from "../../../src/operations/view.ts";
import { linesOf } from "../../../src/intake/typed-line.ts";
import { aboutPrice, readNamedPrice, readTypedQuantity, readTypedVat } from "./typed-line.ts";

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
): Promise<LineParts[]> {
  const checkOf: CheckOf = (field) => (value) => {
    const body = { document: { lines: [{ [field]: value }] } };
    return problemAt(appliance, mode, { body, path: `document.lines[0].${field}` });
  };
  const typed: LineParts[] = [];
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
    suggested = line.category;
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
): Promise<Omit<LineParts, "description">> {
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
  const category = await askCategory(io, suggested);
  if (category !== "exempt") return { ...amount, price: cents, category, exemption: undefined };
  const checkExemption = checkOf("vat_exemption");
  const cause = { en: "Exemption cause, 1 to 31", el: "Αιτία εξαίρεσης, 1 έως 31" };
  const { exemption } = await askReading(
    io,
    cause,
    (text) => readTypedVat(`0% (${text.trim()})`),
    (read) => checkExemption(read.exemption),
  );
  return { ...amount, price: cents, category, exemption };
}

function askCategory(io: ProgramIo, initial: VatCategory): Promise<VatCategory> {
  const categories = Object.entries(VAT_CATEGORIES) as [VatCategory, { ratePercent: number }][];
  const choices = categories.map(([value, { ratePercent }]) => {
    const { en, el } = VAT_WORDS[value];
    return { value, name: { en: `${ratePercent}% ${en}`, el: `${ratePercent}% ${el}` } };
  });
  return askWhich(io, choices, { flag: FLAG, message: { en: "VAT", el: "ΦΠΑ" }, initial });
}

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
