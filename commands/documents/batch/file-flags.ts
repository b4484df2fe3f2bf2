/** The flags about files of documents that `issue` and `preview` share. */
import { IGNORE } from "../../../src/intake/table-header.ts";
import { choice, keyValue } from "../../options.ts";
import { readColumnFlag } from "./column-flags.ts";
import { FORMATS } from "./file-format.ts";
import type { Flags } from "../../define.ts";

const formats = FORMATS.join(", ");

export const FILE_FLAGS: Flags = {
  "--format <format>": {
    en: `${formats}; by default from the file's name`,
    el: `${formats}· αλλιώς από το όνομα του αρχείου`,
    read: choice(FORMATS),
  },
  "--sheet <name>": {
    en: "the sheet of a workbook; by default the first",
    el: "το φύλλο ενός βιβλίου εργασίας· αλλιώς το πρώτο",
  },
  "--map <file>": {
    en: "TOML file that says what the columns and values of .csv and .xlsx files mean",
    el: "αρχείο TOML: τι σημαίνουν οι στήλες και οι τιμές αρχείων .csv και .xlsx",
  },
  "--column <name=column>": {
    en: `what a column means: "Item=description", or =${IGNORE} to leave it out; may be repeated`,
    el: `τι σημαίνει μια στήλη: "Είδος=description", ή =${IGNORE} για να παραλειφθεί· επαναλαμβάνεται`,
    read: () => readColumnFlag,
  },
  "--default <column=value>": {
    en: "value where the file has none: type=11.1; may be repeated",
    el: "τιμή όπου το αρχείο δεν έχει: type=11.1· επαναλαμβάνεται",
    read: keyValue,
  },
  "--no-map": {
    en: "ignore the map that is stored for the merchant",
    el: "διαβάζει χωρίς την αντιστοίχιση που κρατήθηκε για την επιχείρηση",
  },
};
