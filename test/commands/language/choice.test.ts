import { expect, test } from "vitest";
import { chooseLanguage } from "../../../commands/io.ts";

test.each([
  ["the system's locale if no variable is set", [], {}, "el-GR", "el"],
  ["empty variables count as not set", [], { LANG: "" }, "el-GR", "el"],
  ["a variable before the system's locale", [], { LANG: "en_GB.UTF-8" }, "el-GR", "en"],
  ["LC_ALL before LANG", [], { LC_ALL: "C.UTF-8", LANG: "el_GR.UTF-8" }, "el-GR", "en"],
  ["LC_MESSAGES before LANG", [], { LC_MESSAGES: "el", LANG: "en_GB.UTF-8" }, undefined, "el"],
  ["an empty LC_ALL counts as not set", [], { LC_ALL: "", LANG: "el_GR.UTF-8" }, undefined, "el"],
  ["the flag before both", ["--lang=el"], { LANG: "en_GB.UTF-8" }, "en-GB", "el"],
  ["English without any of them", [], {}, undefined, "en"],
  ["English for a language that only begins like Greek", [], {}, "elx", "en"],
] as const)("%s", (_name, args, env, systemLocale, language) => {
  expect(chooseLanguage(args, env, systemLocale)).toBe(language);
});
