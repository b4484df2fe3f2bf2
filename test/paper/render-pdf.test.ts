import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DOCUMENT_TYPES, type DocumentType } from "../../src/domain/canonical-document.ts";
import { printedTitle } from "../../src/domain/document-types.ts";
import { formatGreekEuro, formatGreekNumber } from "../../src/paper/labels.ts";
import { renderPdf } from "../../src/paper/render-pdf.ts";
import { buildStationery } from "../../src/paper/paper.ts";
import { literalOf, runModule } from "../helpers/child.ts";
import { buildLine, CUSTOMERS, type LineInput, SUPPLIER } from "../helpers/documents.ts";
import { buildFullPaper, buildTestPaper, MARK, type PaperChanges, QR_URL } from "../helpers/papers.ts";
import { hasPdfTools, type ReadPdf, withPdf } from "../helpers/pdf-tools.ts";
import { buildJpeg } from "../helpers/pictures.ts";

async function read<T>(type: DocumentType, changes: PaperChanges, use: (pdf: ReadPdf) => T): Promise<T> {
  return withPdf(await renderPdf(buildTestPaper(type, changes)), use);
}

function manyLines(count: number, overrides: Partial<LineInput> = {}): LineInput[] {
  return Array.from({ length: count }, (_, index) =>
    buildLine({ description: `Είδος ${index + 1}`, quantity: "1", unit_price: 100_00, ...overrides }),
  );
}

/** Replaces the non-breaking spaces of amounts, so that tests can compare plain text. */
function euro(cents: number): string {
  return formatGreekEuro(cents).replace("\u00a0", " ");
}

/** On every paper. */
const PRESENT = [
  "Παράδειγμα Α.Ε.|ΑΦΜ / VAT no. 123456783|Εγκατάσταση / Branch 0|order-4711|02/11/2026",
  "Περιγραφή|Description|Καφές|2,5|24% κανονικός / standard|8,33 €|2,00 €|10,33 €",
  "Καθαρή αξία / Net total|Σύνολο ΦΠΑ / VAT total|Τρόπος πληρωμής / Payment|απευθείας στην ΑΑΔΕ (myDATA)",
].flatMap((words) => words.split("|"));

const LONG_ADDRESS = {
  street: "Ερμού ".repeat(25).trim(),
  number: "12",
  postal_code: "10563",
  city: "Αθήνα",
};

const PAGE_ONE = /Σελίδα \/ Page 1\/1/;

describe.skipIf(!hasPdfTools)(
  "the paper, as other programs read it (skipped without poppler, qpdf and zbar)",
  () => {
    test.each(DOCUMENT_TYPES)("of type %s is valid, embeds its fonts and shows every field", async (type) => {
      await read(type, { reference: "order-4711" }, (pdf) => {
        expect(pdf.problems).toBe("");
        expect(pdf.fonts.map(({ name }) => name.replace(/^[A-Z]{6}\+/, "")).sort()).toEqual([
          "NotoSans-Bold",
          "NotoSans-Regular",
        ]);
        expect(pdf.fonts.every(({ isEmbedded }) => isEmbedded)).toBe(true);
        const { el, en } = printedTitle(type);
        const unitPrice = type.startsWith("11.") ? "4,13" : "3,33";
        for (const words of [...PRESENT, unitPrice, ...el.split(" "), en, MARK])
          expect(pdf.text).toContain(words);
        expect(pdf.text).toMatch(/ [0-9A-F]{40} /);
        expect(pdf.text).toMatch(/T[A-Z]{2} 57|[AP][A-Z][A-Z4] 57/);
        expect(pdf.text.includes("094012834")).toBe(!type.startsWith("11."));
        expect(pdf.text).not.toMatch(/TEST|ΔΟΚΙΜΗ|CANCELLED|ΑΚΥΡΩΜΕΝΟ/);
        expect(pdf.text).toMatch(PAGE_ONE);
      });
    });

    test.each(["a4", "receipt"] as const)(
      "of a receipt (%s) shows each item once, at the price with VAT that was given",
      async (format) => {
        const [coffee, chair] = [
          { description: "Καφές", quantity: "1", unit_price: 202, unit_price_gross: 250 },
          { description: "Καρέκλα", quantity: "1", unit_price: 806, unit_price_gross: 1000 },
        ];
        const rest = { description: "Καρέκλα (στρογγυλοποίηση)", unit_price: 1, unit_price_gross: 0 };
        const lines = [coffee, coffee, chair, { ...chair, ...rest }, { ...coffee, quantity: "3" }].map(
          buildLine,
        );
        const supplier = { tax_id: { country: "GR", code: SUPPLIER }, address: LONG_ADDRESS };
        await read("11.1", { format, document: { lines, supplier } }, ({ text, problems, pages }) => {
          expect(problems).toBe("");
          expect(pages).toBe(1);
          expect(text.match(/Καφές/g)).toHaveLength(2);
          expect(text.match(/Καρέκλα/g)).toHaveLength(1);
          for (const words of ["2,50", "5,00", "10,00", "7,51", "22,51 €", "Ερμού", MARK])
            expect(text).toContain(words);
          for (const words of ["στρογγυλοποίηση", "2,02", "8,06"]) expect(text).not.toContain(words);
        });
      },
    );

    test("of a receipt on a roll has a scannable QR code, and a thousand lines", async () => {
      const changes = { format: "receipt" as const, document: { lines: manyLines(1000) } };
      await read("11.4", changes, (pdf) => {
        expect(pdf.problems).toBe("");
        for (const words of ["Είδος 1 ", "Είδος 1000", "124.000,00"]) expect(pdf.text).toContain(words);
      });
      expect(await read("11.4", { format: "receipt" }, (pdf) => pdf.codesOn(1))).toEqual([QR_URL]);
    });

    test("has a scannable QR code with the authority's address", async () => {
      expect(await read("1.1", {}, (pdf) => pdf.codesOn(1))).toEqual([QR_URL]);
      const long = `https://provider.example/view?d=${"0123456789".repeat(60)}`;
      expect(await read("1.1", { qrUrl: long }, (pdf) => pdf.codesOn(1))).toEqual([long]);
    });

    test.each([
      ["el", ["Περιγραφή", "Καθαρή αξία", "Επί πιστώσει"], ["Description", "Net total", "On credit"]],
      ["en", ["Description", "Net total", "On credit"], ["Περιγραφή", "Καθαρή αξία", "Επί πιστώσει"]],
    ] as const)("in %s alone has its title in both languages", async (language, present, absent) => {
      await read("1.1", { stationery: { language } }, ({ text }) => {
        for (const words of [...present, "Τιμολόγιο Πώλησης", "Sales invoice"]) expect(text).toContain(words);
        for (const words of absent) expect(text).not.toContain(words);
      });
    });

    test("shows taxes, what is payable, days, notes and bank accounts", async () => {
      const document = {
        taxes: [
          { kind: "withheld" as const, category: 3, base: 833, amount: 167 },
          { kind: "fees" as const, amount: 5 },
        ],
        due_date: "2026-12-31",
        delivery_date: "2026-11-01",
        notes: "Εξόφληση σε 30 ημέρες\nΔεύτερη γραμμή",
      };
      const bank_accounts = [{ bank: "Εθνική", iban: "GR1601101250000000012300695" }];
      await read("2.1", { document, stationery: { bank_accounts } }, ({ text }) => {
        for (const words of [
          "Συνολική αξία / Gross total 10,33 €",
          "Παρακρατούμενος φόρος 20% / Withheld tax",
          "-1,67 €",
          "Τέλη / Fees 0,05 €",
          "Πληρωτέο ποσό / Amount payable 8,71 €",
          "31/12/2026",
          "01/11/2026",
          "Παρατηρήσεις / Notes",
          "Εξόφληση σε 30 ημέρες",
          "Δεύτερη γραμμή",
          "Εθνική: GR16 0110 1250 0000 0001 2300 695",
        ])
          expect(text).toContain(words);
      });
      await read("2.1", { document, stationery: { language: "en" } }, ({ text }) =>
        expect(text).toContain("Amount payable 8,71 €"),
      );
      await read("5.1", { stationery: { bank_accounts } }, ({ text }) => expect(text).not.toContain("GR16"));
    });

    test("continues long notes on further pages", async () => {
      const notes = Array.from({ length: 120 }, (_, index) => `Γρ ${index + 1}`).join("\n");
      await read("1.1", { document: { notes } }, ({ text, pages }) => {
        expect(pages).toBe(3);
        for (const line of ["Γρ 1 ", "Γρ 60", "Γρ 120"]) expect(text).toContain(line.trim());
      });
    });

    test("shows the merchant's registration, and the address of a branch with its head office", async () => {
      const settings = {
        address: "Ερμού 12, Αθήνα",
        phone: "210 1234567",
        activity: "Καφεκοπτείο",
        gemi: "000237901000",
        tax_office: "ΚΕΦΟΔΕ Αττικής",
        branches: { "3": { address: "Τσιμισκή 3, Θεσσαλονίκη", phone: "2310 123456" } },
      };
      const textOf = (branch: number) => {
        const supplier = { tax_id: { country: "GR", code: SUPPLIER }, branch };
        const stationery = buildStationery(settings, branch);
        return read("1.1", { document: { supplier }, stationery }, ({ text }) => text);
      };
      const shared = ["Καφεκοπτείο", "ΔΟΥ / Tax office ΚΕΦΟΔΕ Αττικής", "Αρ. ΓΕΜΗ / GEMI no. 000237901000"];
      const branch = await textOf(3);
      for (const words of [
        ...shared,
        "Τσιμισκή 3, Θεσσαλονίκη",
        "Έδρα / Head office Ερμού 12, Αθήνα",
        "2310 123456",
      ])
        expect(branch).toContain(words);
      expect(branch).not.toContain("210 1234567");
      for (const number of [0, 4]) {
        const other = await textOf(number);
        for (const words of [...shared, "Ερμού 12, Αθήνα", "210 1234567"]) expect(other).toContain(words);
        expect(other).not.toMatch(/Τσιμισκή|Έδρα \/ Head office/);
      }
    });

    test("says that VAT is due on payment", async () => {
      const words = "Ειδικό καθεστώς καταβολής ΦΠΑ κατά την είσπραξη / Cash accounting";
      const textOf = (changes: PaperChanges) => read("1.1", changes, ({ text }) => text);
      expect(await textOf({ vatPaymentSuspension: true })).toContain(words);
      expect(await textOf({})).not.toContain("Cash accounting");
    });

    test("repeats the head, the page number and the carried sums on every page", async () => {
      const lines = manyLines(85);
      await read("1.1", { document: { lines }, isTest: true }, ({ texts, problems }) => {
        expect(problems).toBe("");
        expect(texts.length).toBeGreaterThan(2);
        let count = 0;
        for (const [index, text] of texts.entries()) {
          expect(text).toContain(`Σελίδα / Page ${index + 1}/${texts.length}`);
          expect(text).toContain("ΔΟΚΙΜΗ – χωρίς νομική ισχύ / TEST – not valid");
          expect(text).toContain("Περιγραφή");
          if (index > 0) {
            expect(text).toContain(
              `Από μεταφορά / Brought forward ${formatGreekNumber(count * 100_00)} ${formatGreekNumber(count * 24_00)}`,
            );
          }
          count += text.match(/Είδος \d+ /g)?.length ?? 0;
          const carried = `Σε μεταφορά / Carried forward ${formatGreekNumber(count * 100_00)} ${formatGreekNumber(count * 24_00)}`;
          expect(text.includes(carried)).toBe(count < lines.length);
        }
        expect(count).toBe(lines.length);
        expect(texts.at(-1)).toContain(euro(85 * 124_00));
        expect(texts.at(-1)).toContain(MARK);
      });
    });

    test("prints every one of a thousand lines", async () => {
      await read("11.1", { document: { lines: manyLines(1000) } }, ({ text, pages }) => {
        expect(pages).toBeLessThan(50);
        expect(text.match(/Είδος \d+ /g)).toHaveLength(1000);
      });
    });

    test("shows the day and MARK of a cancellation", async () => {
      const changes = { cancellation: { mark: "400009999999999", day: "2026-11-05" } };
      const text = await read("1.1", changes, (pdf) => pdf.text);
      expect(text).toContain("ΑΚΥΡΩΜΕΝΟ / CANCELLED 05/11/2026");
      expect(text).toContain("400009999999999");
    });

    test("lists the credited documents that are known here", async () => {
      const originals = [
        { mark: "400001234567890", seriesAndNumber: "TIM 12", issueDate: "2026-10-30" },
        { mark: "400001234567891", seriesAndNumber: null, issueDate: null },
      ];
      const text = await read("5.1", { originals }, (pdf) => pdf.text);
      expect(text).toContain("Συσχετιζόμενα παραστατικά / Corrects");
      expect(text).toContain("TIM 12, 30/10/2026, ΜΑΡΚ / MARK 400001234567890");
      expect(text).toContain("ΜΑΡΚ / MARK 400001234567891");
      expect(text).toContain("Πιστωτικό ποσό / Total credit");
    });

    test("lists a thousand originals", async () => {
      const originals = Array.from({ length: 1000 }, (_, index) => ({
        mark: String(400_000_000_000_000 + index),
        seriesAndNumber: null,
        issueDate: null,
      }));
      const text = await read("5.1", { originals }, (pdf) => pdf.text);
      expect(originals.filter(({ mark }) => !text.includes(mark))).toEqual([]);
    });

    test("analyses VAT by rate and named cause, over several pages if necessary", async () => {
      const exempt = Array.from({ length: 31 }, (_, index) =>
        buildLine({ vat_category: "exempt", vat_exemption: index + 1, quantity: "1", unit_price: 1_00 }),
      );
      const lines = [...exempt, ...manyLines(2), buildLine({ vat_category: "reduced_island" })];
      await read("1.1", { document: { lines } }, ({ text, problems }) => {
        expect(problems).toBe("");
        expect(text).toContain(`24% κανονικός / standard ${euro(200_00)} ${euro(48_00)}`);
        expect(text).toMatch(/9% μειωμένος νησιών \/ reduced, 8,33 € 0,75 € islands/);
        expect(text).toContain("14: Άρθρο 33 (πρώην 28) Κώδικα ΦΠΑ: ενδοκοινοτική παράδοση αγαθών");
        expect(text).toContain("31: Άρθρο 58 (πρώην 47δ)");
      });
    });

    test("shows the exemption cause next to a line's rate only if there are several causes", async () => {
      const exempt = (vat_exemption: number) => buildLine({ vat_category: "exempt", vat_exemption });
      await read("1.1", { document: { lines: [exempt(7), exempt(27), buildLine()] } }, ({ text }) => {
        expect(text).toMatch(/8,33 0 \(7\) 0,00 .* 8,33 0 \(27\) 0,00 .* 8,33 24 2,00/);
      });
      await read("1.1", { document: { lines: [exempt(7), buildLine()] } }, ({ text }) => {
        expect(text).toMatch(/8,33 0 0,00 .* 8,33 24 2,00/);
      });
    });

    test("shows both tax numbers with country and the reverse charge for services to another EU country", async () => {
      const lines = [buildLine({ vat_category: "exempt", vat_exemption: 4 })];
      await read("2.1", { document: { customer: CUSTOMERS.eu, lines } }, (pdf) => {
        expect(pdf.text).toContain("EL 123456783");
        expect(pdf.text).toContain("Αντίστροφη επιβάρυνση / Reverse charge");
      });
      await read("2.1", { document: { lines } }, (pdf) => {
        expect(pdf.text).not.toMatch(/EL \d|Reverse charge/);
      });
    });

    test("shows the largest amounts in full", async () => {
      const line = { quantity: "100", unit_price: 100_000_000_000 };
      const lines = Array.from({ length: 100 }, () => buildLine(line));
      await read("1.1", { document: { lines } }, ({ text }) => {
        // On two lines of its column.
        expect(text).toMatch(/ 100\.000\.000\. .* 000,00 /);
        expect(text).toContain("10.000.000.000.000,00 €");
        expect(text).toContain("12.400.000.000.000,00 €");
        expect(text).not.toContain("…");
      });
    });

    test("breaks a word that is too long and replaces characters that the font lacks", async () => {
      const lines = [
        buildLine({ description: "Ω".repeat(300) }),
        buildLine({ description: "α😀漢\u202eβ\nγ" }),
      ];
      await read("1.1", { document: { lines } }, ({ text }) => {
        expect(text.match(/Ω/g)!.length).toBeGreaterThanOrEqual(300);
        expect(text).toContain("α\ufffd\ufffdβ γ");
      });
    });
  },
);

test("renders the same paper to the same bytes, also in another process", async () => {
  // Documents rendered earlier must not influence the bytes.
  const accented = buildLine({ description: "ΈΤΟΣ ΎΛΗ ΊΣΟΣ Öl à É" });
  await renderPdf(buildTestPaper("1.1", { document: { lines: [accented] } }));
  const paper = buildFullPaper();
  const [first, second] = await Promise.all([renderPdf(paper), renderPdf(buildFullPaper())]);
  expect(first.equals(second)).toBe(true);
  const stdout = await runModule(`
    import { createHash } from "node:crypto";
    import { renderPdf } from ${literalOf("src/paper/render-pdf.ts")};
    import { buildFullPaper } from ${literalOf("test/helpers/papers.ts")};
    process.stdout.write(createHash("sha256").update(await renderPdf(buildFullPaper())).digest("hex"));`);
  expect(stdout).toBe(createHash("sha256").update(first).digest("hex"));
  const other = await renderPdf(buildTestPaper("1.1"));
  expect(other.equals(await renderPdf(buildTestPaper("2.1")))).toBe(false);
});

test("lets other work run while a long document is rendered", async () => {
  let turns = 0;
  const timer = setInterval(() => void (turns += 1), 0);
  await renderPdf(buildTestPaper("11.1", { document: { lines: manyLines(400) } }));
  clearInterval(timer);
  expect(turns).toBeGreaterThan(3);
});

test("accepts a JPEG logo", async () => {
  const logo = buildJpeg({ width: 200, height: 80 });
  const bytes = await renderPdf(buildTestPaper("1.1", { stationery: { logo: logo.toString("base64") } }));
  expect(bytes.includes("/DCTDecode")).toBe(true);
});

test("renders any text and any address", async () => {
  const text = fc
    .string({ unit: "binary", minLength: 1, maxLength: 200 })
    .filter((value) => value.trim() !== "");
  await fc.assert(
    fc.asyncProperty(text, text, async (description, name) => {
      const paper = buildTestPaper("1.1");
      const bytes = await renderPdf({
        ...paper,
        reference: name,
        supplier: { ...paper.supplier, name },
        lines: paper.lines.map((line) => ({ ...line, description })),
      });
      expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
    }),
    { numRuns: 25 },
  );
});
