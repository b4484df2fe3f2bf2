/** Parses TOML. Error messages leave out the excerpt that the parser shows, because a line may contain a secret. */
import { parse, TomlError } from "smol-toml";
import { AppError } from "./errors.ts";
import { sameInBoth, type Text } from "./text.ts";

/** Throws `validation_failed` with line and column. */
export function parseToml(text: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    throw new AppError("validation_failed", reasonOfToml(error), { cause: error });
  }
}

/** `line 3, column 7: …` for an error of the parser, whose own words are English; otherwise the error's message. */
export function reasonOfToml(error: unknown): Text {
  if (!(error instanceof TomlError))
    return sameInBoth(error instanceof Error ? error.message : String(error));
  const [first = ""] = error.message.split("\n", 1);
  const reason = first.replace(/^Invalid TOML document: /, "");
  return {
    en: `line ${error.line}, column ${error.column}: ${reason}`,
    el: `γραμμή ${error.line}, στήλη ${error.column}: ${reason}`,
  };
}
