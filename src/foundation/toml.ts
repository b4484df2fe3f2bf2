/** TOML text, and what is wrong with it without the excerpt that the parser shows: a line may hold a secret. */
import { parse, TomlError } from "smol-toml";
import { AppError } from "./errors.ts";

/** The table that `text` says. Throws `validation_failed` with line and column. */
export function parseToml(text: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    throw new AppError("validation_failed", reasonOfToml(error), { cause: error });
  }
}

/** `line 3, column 7: …` for an error of the parser, or the message of another one. */
export function reasonOfToml(error: unknown): string {
  if (!(error instanceof TomlError)) return error instanceof Error ? error.message : String(error);
  const [first = ""] = error.message.split("\n", 1);
  return `line ${error.line}, column ${error.column}: ${first.replace(/^Invalid TOML document: /, "")}`;
}
