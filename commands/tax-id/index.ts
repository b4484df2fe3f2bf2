/** `fiscal tax-id lookup`: whether a VAT number is registered, and for whom. */
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";
import { UsageError } from "../exit.ts";
import { tell } from "../io.ts";
import { withExample } from "../options.ts";
import { printJson } from "../ui/json.ts";
import { printFields } from "../ui/table.ts";

export function defineTaxId(noun: Command, context: CommandContext): void {
  withExample(noun, "fiscal tax-id lookup GR 123456783");
  withExample(
    noun
      .command("lookup <number...>")
      .description("ask whether a VAT number is valid; with --live the EU registry, otherwise the sandbox")
      .action((parts: string[]) => context.end(runLookup(context, parts))),
    "fiscal tax-id lookup GR 123456783",
    "fiscal --live tax-id lookup EL123456783 --json",
  );
}

/** Greece is EL in VAT numbers and GR everywhere else. */
const GREEK_PREFIX = "EL";

/** `GR 123456783`, `EL123456783`, `el 123 456 783`: the country's two letters stand first, however it is written. */
async function readNumber(parts: readonly string[]): Promise<{ country: string; code: string }> {
  const { normaliseTaxCode } = await import("../../src/domain/tax-number.ts");
  const whole = normaliseTaxCode(parts.join(""));
  const [, prefix, code] = /^([A-Z]{2})(.+)$/.exec(whole) ?? [];
  if (prefix === undefined || code === undefined)
    throw new UsageError(
      "the number begins with the two letters of its country: GR 123456783 or EL123456783",
    );
  return { country: prefix === GREEK_PREFIX ? "GR" : prefix, code };
}

/** A number that is not valid is an answer, not a failure. */
async function runLookup(context: CommandContext, parts: readonly string[]): Promise<void> {
  const { io } = context;
  const number = await readNumber(parts);
  const result = await context.withAppliance((appliance, mode) => appliance.taxIds.lookup(mode, number));
  if (result.source === "sandbox")
    await tell(io, "The sandbox answers: the EU registry is asked with --live.");
  if (context.options.json === true) return printJson(io.stdout, result);
  await printFields(io, [
    ["country", result.country],
    ["number", result.code],
    ["valid", result.valid ? "yes" : "no"],
    ["name", result.name],
    ["address", result.address],
    ["source", result.source],
    ["checked", result.checked_at],
  ]);
}
