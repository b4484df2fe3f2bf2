/** `fiscal customers statement`: the documents and credits of a customer, with a running sum. */
import { renderStatement } from "../../src/books/statement-pdf.ts";
import { reportStatement, type Statement, statementSheets } from "../../src/books/statement.ts";
import { readCustomerNumber } from "../../src/domain/tax-number.ts";
import { EMPTY_STATEMENT, STATEMENT_COLUMNS, STATEMENT_NOTE } from "../../src/operations/statement-view.ts";
import type { CommandContext } from "../context.ts";
import { verb } from "../define.ts";
import { outputSettingsOf, printLine, printNote } from "../io.ts";
import { PERIOD, readIssueDates } from "../common-flags.ts";
import { chooseMerchant, findMerchant, MERCHANT } from "../merchants/find-merchant.ts";
import { startFile } from "../output-files.ts";
import { presentReport } from "../reports/report-file.ts";
import { printTable } from "../ui/table.ts";

export const defineStatement = verb({
  flags: {
    ...MERCHANT,
    ...PERIOD,
    "--output <file>": {
      en: "write a .pdf, .xlsx or .csv file instead of a table",
      el: "γράφει αρχείο .pdf, .xlsx ή .csv αντί για πίνακα",
    },
  },
  examples: [
    "fiscal customers statement 094012834 --merchant shop --from 2025-10-01 --to 2025-12-31",
    "fiscal customers statement DE129273398 --merchant shop --month 2025-11 --output statement.xlsx",
  ],
  fields: ["from", "to", "merchant", "merchant_name", "customer", "rows", "total"],
  async run(context, options, number: string) {
    const { io, inLanguage } = context;
    const days = readIssueDates(options);
    const name = await chooseMerchant(context, options.merchant, { isOnlyTaken: true });
    const isPdf = /\.pdf$/i.test(options.output ?? "") && context.options.json !== true;
    await context.withAppliance(async (appliance, mode) => {
      const { id: merchantId } = await findMerchant(appliance, name);
      const customer = { merchantId, mode, ...readCustomerNumber(number) };
      const build = () => reportStatement(appliance, customer, days);
      if (!isPdf)
        return presentReport(context, appliance, options.output, {
          build,
          sheetsOf: statementSheets,
          print: (statement) => printRows(context, statement),
        });
      await using pdf = await startFile(io, options.output!);
      const { language } = outputSettingsOf(io);
      await pdf.write(await renderStatement(await build(), { mode, language, translate: inLanguage }));
      await pdf.finish();
    });
  },
});

async function printRows({ io }: CommandContext, { customer, rows }: Statement): Promise<void> {
  if (rows.length === 0) return printNote(io, EMPTY_STATEMENT);
  const number = `${customer.country} ${customer.code}`;
  const line = [customer.name, number].filter((part) => part !== null).join(", ");
  await printLine(io, { en: line, el: line });
  await printTable(io, STATEMENT_COLUMNS, rows);
  await printNote(io, STATEMENT_NOTE);
}
