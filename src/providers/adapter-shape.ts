/** Checks that a value has the shape of an adapter, without calling it. Pure. */
import type { Provider } from "../../storage/stored-values.ts";
import { sameInBoth, type Text } from "../foundation/text.ts";

type Members = Readonly<Record<string, unknown>>;

const METHODS = [
  "buildPayload",
  "issue",
  "status",
  "reconcile",
  "cancel",
  "findCancellation",
  "fetchPdf",
  "verify",
] as const;

const OPTIONAL_METHODS = [
  "check",
  "listDocuments",
  "listVatFigures",
  "listRefusals",
  "readDocument",
] as const;

/** Field names also end environment variables: FISCAL_CREDENTIAL_... */
const FIELD_NAME = /^[a-z][a-z0-9_]*$/;

/** Why `value` is not an adapter of `provider`, one sentence for each member that is wrong; empty if it is one. */
export function findShapeProblems(value: unknown, provider: Provider): Text[] {
  if (!isObject(value)) return [{ en: "it is not an object", el: "δεν είναι object" }];
  const { name, numbering, issueBatchMax, askBatchMax, canCancel, hasPdf, isAuthority } = value;
  const { credentials, settle } = value;
  return [
    ...METHODS.filter((method) => typeof value[method] !== "function").map((method) =>
      mustBe(method, FUNCTION),
    ),
    ...unless(value["provider"] === provider, mustBe("provider", sameInBoth(`"${provider}"`))),
    ...unless(name === undefined || isText(name), orAbsent(mustBe("name", TEXT))),
    ...unless(
      numbering === "ours" || numbering === "provider",
      mustBe("numbering", { en: '"ours" or "provider"', el: '"ours" ή "provider"' }),
    ),
    ...unless(isInteger(issueBatchMax, 1), mustBe("issueBatchMax", integerFrom(1))),
    ...unless(
      askBatchMax === undefined || isInteger(askBatchMax, 1),
      orAbsent(mustBe("askBatchMax", integerFrom(1))),
    ),
    ...unless(typeof canCancel === "boolean", mustBe("canCancel", BOOLEAN)),
    ...unless(isOptionalBoolean(hasPdf), orAbsent(mustBe("hasPdf", BOOLEAN))),
    ...unless(isOptionalBoolean(isAuthority), orAbsent(mustBe("isAuthority", BOOLEAN))),
    ...unless(
      isObject(settle) && isInteger(settle["askings"], 1) && isInteger(settle["seconds"], 0),
      SETTLE_PROBLEM,
    ),
    ...OPTIONAL_METHODS.filter((method) => !["undefined", "function"].includes(typeof value[method])).map(
      (method) => orAbsent(mustBe(method, FUNCTION)),
    ),
    ...(credentials === null ? [] : findFormProblems(credentials)),
  ];
}

const FUNCTION: Text = { en: "a function", el: "συνάρτηση" };
const TEXT: Text = { en: "a text", el: "κείμενο" };
const BOOLEAN: Text = { en: "true or false", el: "true ή false" };
const SETTLE_PROBLEM: Text = {
  en: "settle must have askings, an integer of at least 1, and seconds, an integer of at least 0",
  el: "το settle πρέπει να έχει askings, ακέραιο τουλάχιστον 1, και seconds, ακέραιο τουλάχιστον 0",
};

function integerFrom(min: number): Text {
  return { en: `an integer of at least ${min}`, el: `ακέραιος τουλάχιστον ${min}` };
}

function mustBe(member: string, what: Text): Text {
  return { en: `${member} must be ${what.en}`, el: `το ${member} πρέπει να είναι ${what.el}` };
}

function orAbsent(problem: Text): Text {
  return { en: `${problem.en}, or left out`, el: `${problem.el}, ή να λείπει` };
}

function findFormProblems(form: unknown): Text[] {
  if (!isObject(form) || !Array.isArray(form["fields"])) {
    return [mustBe("credentials", { en: "null, or a form with fields", el: "null, ή φόρμα με fields" })];
  }
  const fields: readonly unknown[] = form["fields"];
  const names = fields.map((field) => (isObject(field) ? field["name"] : undefined));
  const isUnique = new Set(names).size === names.length;
  return [
    ...fields.flatMap((field, index) => findFieldProblems(field, `credentials.fields[${index}]`)),
    ...unless(isUnique, {
      en: "credentials.fields must have different names",
      el: "τα credentials.fields πρέπει να έχουν διαφορετικά ονόματα",
    }),
    ...findChoiceProblems(form["exactlyOneOf"], fields),
    ...findGuideProblems(form["guides"]),
  ];
}

function findFieldProblems(field: unknown, path: string): Text[] {
  if (!isObject(field)) return [mustBe(path, { en: "an object", el: "object" })];
  const { name, label, secret, required, lengthMax, format, unpadded, ascii, help } = field;
  return [
    ...unless(typeof name === "string" && FIELD_NAME.test(name), {
      en: `${path}.name must consist of lower-case letters, digits and _`,
      el: `το ${path}.name πρέπει να έχει μόνο μικρά λατινικά γράμματα, ψηφία και _`,
    }),
    ...unless(isText(label), mustBe(`${path}.label`, TEXT)),
    ...unless(typeof secret === "boolean", mustBe(`${path}.secret`, BOOLEAN)),
    ...unless(typeof required === "boolean", mustBe(`${path}.required`, BOOLEAN)),
    ...unless(isInteger(lengthMax, 1), mustBe(`${path}.lengthMax`, integerFrom(1))),
    ...unless(
      format === undefined || format === "email",
      orAbsent(mustBe(`${path}.format`, sameInBoth('"email"'))),
    ),
    ...unless(isOptionalBoolean(unpadded), orAbsent(mustBe(`${path}.unpadded`, BOOLEAN))),
    ...unless(isOptionalBoolean(ascii), orAbsent(mustBe(`${path}.ascii`, BOOLEAN))),
    ...unless(help === undefined || help === "" || isText(help), orAbsent(mustBe(`${path}.help`, TEXT))),
  ];
}

/** The names of a choice are those of fields that are not required. */
function findChoiceProblems(choice: unknown, fields: readonly unknown[]): Text[] {
  if (choice === undefined) return [];
  const optional = fields.filter(isObject).filter(({ required }) => required === false);
  const names = new Set(optional.map(({ name }) => name));
  const isRight = Array.isArray(choice) && choice.every((name) => names.has(name));
  return unless(isRight, {
    en: "credentials.exactlyOneOf must list names of fields that are not required",
    el: "το credentials.exactlyOneOf πρέπει να έχει ονόματα πεδίων που δεν είναι υποχρεωτικά",
  });
}

function findGuideProblems(guides: unknown): Text[] {
  if (guides === undefined) return [];
  const isRight = isObject(guides) && isGuide(guides["test"]) && isGuide(guides["live"]);
  return unless(
    isRight,
    orAbsent({
      en: "credentials.guides must have test and live, each with steps (texts) and an optional url",
      el: "το credentials.guides πρέπει να έχει test και live, το καθένα με steps (κείμενα) και προαιρετικά url",
    }),
  );
}

function isGuide(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { steps, url } = value;
  const isAddress = typeof url === "string" && /^https?:/.test(url) && URL.canParse(url);
  return Array.isArray(steps) && steps.every(isText) && (url === undefined || isAddress);
}

/** A string, or one for each language. */
function isText(value: unknown): boolean {
  if (isObject(value)) return isFilled(value["en"]) && isFilled(value["el"]);
  return isFilled(value);
}

function isFilled(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isInteger(value: unknown, min: number): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= min;
}

function isOptionalBoolean(value: unknown): boolean {
  return value === undefined || typeof value === "boolean";
}

function unless(isRight: boolean, problem: Text): Text[] {
  return isRight ? [] : [problem];
}
