/** `fiscal documents`: issues documents, and works with issued ones. */
import { textsOfWarnings } from "../../src/foundation/stored-texts.ts";
import type { Text } from "../../src/foundation/text.ts";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import { getDocument, listDocuments } from "../../src/operations/documents.ts";
import { abandonDocument, cancelDocument, retryDocument } from "../../src/operations/withdraw-documents.ts";
import { CANNOT_BE_UNDONE, describeDocument, questionAbout } from "../confirmation.ts";
import { type Commands, noun } from "../define.ts";
import type { Given } from "../flags.ts";
import { verbOf } from "../verb.ts";
import { timeoutOf, WAIT_FLAGS, type WaitOptions } from "./waiting.ts";

const VERBS: Commands = {
  issue: {
    arguments: "<file...>",
    en: "issue the documents in files: .json, .ndjson, .csv or .xlsx; - is standard input",
    el: "εκδίδει τα παραστατικά αρχείων .json, .ndjson, .csv ή .xlsx· το - είναι η τυπική είσοδος",
    load: async () => (await import("./issue.ts")).defineIssue,
  },
  new: {
    en: "issue one document: asks for what the flags do not say",
    el: "εκδίδει ένα παραστατικό: ρωτά όσα δεν ορίζουν οι επιλογές",
    load: async () => (await import("./new.ts")).defineNew,
  },
  preview: {
    arguments: "<file>",
    en: "show what would be sent, and why; nothing is sent or stored",
    el: "δείχνει τι θα στελνόταν και γιατί· τίποτα δεν στέλνεται ούτε αποθηκεύεται",
    load: async () => (await import("./preview.ts")).definePreview,
  },
  list: verbOf(listDocuments),
  show: verbOf(getDocument, {
    flags: {
      "--filed": {
        en: "print the XML or JSON that filed it, byte for byte",
        el: "το XML ή JSON με το οποίο διαβιβάστηκε, όπως ακριβώς στάλθηκε",
      },
    },
    // The last four with `--filed`.
    fields: ["vies", "object", "document", "format", "content"],
    print: async (document, given) => (await import("./document-view.ts")).printShown(document, given),
  }),
  retry: verbOf(retryDocument, {
    flags: WAIT_FLAGS,
    complete: (_context, flags) => void timeoutOf(flags as unknown as WaitOptions),
    print: async (document, given) => (await import("./issue-one.ts")).awaitQueued(document, given),
  }),
  credit: {
    arguments: "[document]",
    en: "credit an issued invoice, or parts of its lines",
    el: "πιστώνει ένα τιμολόγιο που εκδόθηκε, ή μέρος των γραμμών του",
    load: async () => (await import("./credit.ts")).defineCredit,
  },
  repeat: {
    arguments: "<document>",
    en: "issue the contents of an issued document again",
    el: "εκδίδει ξανά το περιεχόμενο ενός παραστατικού που εκδόθηκε",
    load: async () => (await import("./correct.ts")).defineRepeat,
  },
  correct: {
    arguments: "<document>",
    en: "issue a rejected document again, corrected",
    el: "εκδίδει ξανά, διορθωμένο, ένα παραστατικό που απορρίφθηκε",
    load: async () => (await import("./correct.ts")).defineCorrect,
  },
  cancel: verbOf(cancelDocument, {
    confirm: (asked) =>
      askAbout(asked, { en: "Cancel with the provider", el: "Να ακυρωθεί στον πάροχο" }, CANNOT_BE_UNDONE),
    notes: warningsOf,
  }),
  abandon: verbOf(abandonDocument, {
    confirm: (asked) =>
      askAbout(
        asked,
        { en: "Give up the number of", el: "Να εγκαταλειφθεί ο αριθμός" },
        { en: "It will never be used again.", el: "Δεν χρησιμοποιείται ποτέ ξανά." },
      ),
    notes: warningsOf,
  }),
  export: {
    en: "export the documents of a range of issue dates with totals, for bookkeeping",
    el: "εξάγει τα παραστατικά ενός διαστήματος με σύνολα, για τα βιβλία",
    load: async () => (await import("./export.ts")).defineExport,
  },
  reconcile: {
    en: "compare a range of issue dates with what the authority or the provider has",
    el: "συγκρίνει ένα διάστημα με όσα έχει η ΑΑΔΕ ή ο πάροχος",
    load: async () => (await import("./reconcile.ts")).defineReconcile,
  },
  pdf: {
    arguments: "[document]",
    en: "write the PDF of one issued document, or of every one in a range of issue dates",
    el: "γράφει το PDF ενός παραστατικού που εκδόθηκε, ή όλων όσων εκδόθηκαν σε ένα διάστημα",
    load: async () => (await import("./pdf.ts")).definePdf,
  },
  send: {
    arguments: "<document...>",
    en: "email the PDFs of issued documents",
    el: "στέλνει με email τα PDF παραστατικών που εκδόθηκαν",
    load: async () => (await import("./send.ts")).defineSend,
  },
  template: {
    en: "print an example file to start from",
    el: "τυπώνει ένα αρχείο για αρχή",
    load: async () => (await import("./template.ts")).defineTemplate,
  },
  map: {
    en: "show or forget a merchant's column map, stored by `documents issue --remember-map`",
    el: "δείχνει ή ξεχνά την αντιστοίχιση στηλών μιας επιχείρησης, όπως την κράτησε η `documents issue --remember-map`",
    load: async () => (await import("./batch/batch-map.ts")).defineMap,
  },
};

export const defineDocuments = noun(
  VERBS,
  "fiscal documents issue documents.csv --merchant shop",
  "fiscal documents list --status rejected",
);

async function askAbout({ appliance, mode, params }: Given, action: Text, consequence: Text): Promise<Text> {
  const lists = await import("../../src/documents/list-documents.ts");
  const document = await lists.getDocument(appliance, mode, params["id"] ?? "");
  return questionAbout(action, await describeDocument(appliance, mode, document), consequence);
}

async function warningsOf(
  { classification }: DocumentObject,
  { context: { options } }: Given,
): Promise<Text[]> {
  const { warningLine } = await import("./document-view.ts");
  return options.json === true ? [] : textsOfWarnings(classification.warnings).map(warningLine);
}
