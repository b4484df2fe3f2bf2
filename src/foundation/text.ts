/** Text that people read, in English and Greek. The API sends the English. */

export type Language = "en" | "el";

/** A finished message, with its values inserted. */
export interface Text {
  readonly en: string;
  readonly el: string;
  /** The words end so that an interface can add how the step is taken there: a flag or a command, a link. */
  readonly next?: NextStep;
}

/** What somebody can do about a message, as data. */
export interface NextStep {
  readonly operation: StepName;
  /** Of the object that it is taken for. */
  readonly id?: string;
  /** The meaning of the columns of a file, by their names, and what all its rows have, by column. */
  readonly columns?: Readonly<Record<string, string>>;
  readonly defaults?: Readonly<Record<string, string>>;
}

/** Operations of the product, under the names that the API has for those that it has, and choices for the same operation. */
export type StepName =
  | "acceptWithoutChecksum"
  | "adoptMarks"
  | "audit"
  | "auditNumbers"
  | "backUp"
  | "cancelDocument"
  | "cancelSurplusMarks"
  | "chooseDataFolder"
  | "compareClock"
  | "createConnection"
  | "createKey"
  | "creditDocument"
  | "diagnoseDeeply"
  | "doctor"
  | "enableWebhookEndpoint"
  | "getDocument"
  | "getDocumentPdf"
  | "giveFormat"
  | "givePassphrase"
  | "giveTlsFiles"
  | "initialise"
  | "issueDocument"
  | "listCalls"
  | "listCustomers"
  | "listDeliveries"
  | "listEvents"
  | "listKeys"
  | "listMerchants"
  | "listRequests"
  | "lookUpTaxId"
  | "mapColumns"
  | "previewDocument"
  | "reconcileDocuments"
  | "rememberColumnMap"
  | "replaceDatabase"
  | "replaceFile"
  | "replayDeliveries"
  | "resume"
  | "retryDocument"
  | "revokeKey"
  | "rotateMasterKey"
  | "serve"
  | "serveWithoutHttps"
  | "updateMerchant"
  | "updateMerchantSettings"
  | "useLiveMode"
  | "verifyConnection";

/** For text without a translation: a name, a number, a provider's own message. */
export function sameInBoth(value: string): Text {
  return { en: value, el: value };
}

/** Accepts a plain string for both languages, as in the labels of adapters. */
export function toText(value: string | Text): Text {
  return typeof value === "string" ? sameInBoth(value) : value;
}

/** Separates sentences without a full stop. In Greek a semicolon is a question mark. */
export const SEMICOLON: Text = { en: "; ", el: "· " };

/** Joins `texts` in each language, with the last next step. */
export function joinTexts(texts: readonly Text[], separator: string | Text): Text {
  const next = texts.findLast((text) => text.next !== undefined)?.next;
  const between = toText(separator);
  return {
    en: texts.map(({ en }) => en).join(between.en),
    el: texts.map(({ el }) => el).join(between.el),
    ...(next === undefined ? {} : { next }),
  };
}
