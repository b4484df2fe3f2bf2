/** Chooses the language by `--lang` or the environment. */
import type { Language } from "../../src/foundation/text.ts";

export type { Language };

/** The values of `--lang`. */
export const LANGUAGES = ["el", "en"] as const satisfies readonly Language[];

/**
 * `--lang` takes precedence over the environment, and that over `systemLocale`, such as `el-GR`. It is read before the command line is parsed, because help and parse errors
 * are in this language too. The parser rejects an invalid value.
 */
export function chooseLanguage(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  systemLocale = "",
): Language {
  const given = flagValue(args, "--lang");
  return LANGUAGES.find((code) => code === given) ?? languageOfLocale(env, systemLocale);
}

/** The last value of `flag` before `--`. */
function flagValue(args: readonly string[], flag: string): string | undefined {
  const end = args.indexOf("--");
  const own = end === -1 ? args : args.slice(0, end);
  const at = own.findLastIndex((arg) => arg === flag || arg.startsWith(`${flag}=`));
  if (at === -1) return undefined;
  return own[at] === flag ? own[at + 1] : own[at]?.slice(flag.length + 1);
}

/** POSIX: the first of the three variables that is set and not empty. Windows has none of them. */
function languageOfLocale(env: Readonly<Record<string, string | undefined>>, systemLocale: string): Language {
  const locales = [env["LC_ALL"], env["LC_MESSAGES"], env["LANG"], systemLocale];
  const locale = locales.find((value) => (value ?? "") !== "") ?? "";
  return /^el([_.@-]|$)/i.test(locale) ? "el" : "en";
}
