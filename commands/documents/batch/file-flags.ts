/** The flags about files of documents that `issue` and `preview` share. */
import type { Command } from "commander";
import type { CommandContext } from "../../context.ts";
import { IGNORE } from "../../../src/intake/unknown-columns.ts";
import { choice, keyValue } from "../../options.ts";
import { readColumnFlag } from "./column-flags.ts";
import { FORMATS } from "./file-format.ts";

export function addFileOptions(command: Command, { inLanguage }: CommandContext): Command {
  const formats = FORMATS.join(", ");
  return command
    .option(
      "--format <format>",
      inLanguage({
        en: `${formats}; by default from the file's name`,
        el: `${formats}· αλλιώς από το όνομα του αρχείου`,
      }),
      choice("--format", FORMATS),
    )
    .option(
      "--sheet <name>",
      inLanguage({
        en: "the sheet of a workbook; by default the first",
        el: "το φύλλο ενός βιβλίου εργασίας· αλλιώς το πρώτο",
      }),
    )
    .option(
      "--map <file>",
      inLanguage({
        en: "TOML file that says what the columns and values of .csv and .xlsx files mean",
        el: "αρχείο TOML: τι σημαίνουν οι στήλες και οι τιμές αρχείων .csv και .xlsx",
      }),
    )
    .option(
      "--column <name=column>",
      inLanguage({
        en: `what a column means: "Item=description", or =${IGNORE} to leave it out; may be repeated`,
        el: `τι σημαίνει μια στήλη: "Είδος=description", ή =${IGNORE} για να παραλειφθεί· επαναλαμβάνεται`,
      }),
      readColumnFlag,
    )
    .option(
      "--default <column=value>",
      inLanguage({
        en: "value where the file has none: type=11.1; may be repeated",
        el: "τιμή όπου το αρχείο δεν έχει: type=11.1· επαναλαμβάνεται",
      }),
      keyValue("--default"),
    )
    .option(
      "--no-map",
      inLanguage({
        en: "ignore the map that is stored for the merchant",
        el: "διαβάζει χωρίς την αντιστοίχιση που κρατήθηκε για την επιχείρηση",
      }),
    );
}
