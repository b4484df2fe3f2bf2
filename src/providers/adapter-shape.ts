/** Checks that a value has the shape of an adapter, as far as that is visible without calling it. Pure. */
import type { Provider } from "../../storage/stored-values.ts";

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

/** Field names also end environment variables: FISCAL_CREDENTIAL_... */
const FIELD_NAME = /^[a-z][a-z0-9_]*$/;

/** Why `value` is not an adapter of `provider`, one sentence for each member that is wrong; empty if it is one. */
export function findShapeProblems(value: unknown, provider: Provider): string[] {
  if (!isObject(value)) return ["it is not an object"];
  const { name, numbering, issueBatchMax, askBatchMax, canCancel, hasPdf, isAuthority } = value;
  const { credentials, settle, check } = value;
  return [
    ...METHODS.filter((method) => typeof value[method] !== "function").map(
      (method) => `${method} must be a function`,
    ),
    ...unless(value["provider"] === provider, `provider must be "${provider}"`),
    ...unless(name === undefined || isText(name), "name must be a text, or left out"),
    ...unless(numbering === "ours" || numbering === "provider", 'numbering must be "ours" or "provider"'),
    ...unless(isInteger(issueBatchMax, 1), "issueBatchMax must be an integer of at least 1"),
    ...unless(
      askBatchMax === undefined || isInteger(askBatchMax, 1),
      "askBatchMax must be an integer of at least 1, or left out",
    ),
    ...unless(typeof canCancel === "boolean", "canCancel must be true or false"),
    ...unless(isOptionalBoolean(hasPdf), "hasPdf must be true or false, or left out"),
    ...unless(isOptionalBoolean(isAuthority), "isAuthority must be true or false, or left out"),
    ...unless(
      isObject(settle) && isInteger(settle["askings"], 1) && isInteger(settle["seconds"], 0),
      "settle must have askings, an integer of at least 1, and seconds, an integer of at least 0",
    ),
    ...unless(check === undefined || typeof check === "function", "check must be a function, or left out"),
    ...(credentials === null ? [] : findFormProblems(credentials)),
  ];
}

function findFormProblems(form: unknown): string[] {
  if (!isObject(form) || !Array.isArray(form["fields"])) {
    return ["credentials must be null, or a form with fields"];
  }
  const fields: readonly unknown[] = form["fields"];
  const names = fields.map((field) => (isObject(field) ? field["name"] : undefined));
  const isUnique = new Set(names).size === names.length;
  return [
    ...fields.flatMap((field, index) => findFieldProblems(field, `credentials.fields[${index}]`)),
    ...unless(isUnique, "credentials.fields must have different names"),
    ...findChoiceProblems(form["exactlyOneOf"], fields),
    ...findGuideProblems(form["guides"]),
  ];
}

function findFieldProblems(field: unknown, path: string): string[] {
  if (!isObject(field)) return [`${path} must be an object`];
  const { name, label, secret, required, lengthMax, format, unpadded, ascii, help } = field;
  return [
    ...unless(
      typeof name === "string" && FIELD_NAME.test(name),
      `${path}.name must consist of lower-case letters, digits and _`,
    ),
    ...unless(isText(label), `${path}.label must be a text`),
    ...unless(typeof secret === "boolean", `${path}.secret must be true or false`),
    ...unless(typeof required === "boolean", `${path}.required must be true or false`),
    ...unless(isInteger(lengthMax, 1), `${path}.lengthMax must be an integer of at least 1`),
    ...unless(format === undefined || format === "email", `${path}.format must be "email", or left out`),
    ...unless(isOptionalBoolean(unpadded), `${path}.unpadded must be true or false, or left out`),
    ...unless(isOptionalBoolean(ascii), `${path}.ascii must be true or false, or left out`),
    ...unless(help === undefined || help === "" || isText(help), `${path}.help must be a text, or left out`),
  ];
}

/** The names of a choice are those of fields that are not required. */
function findChoiceProblems(choice: unknown, fields: readonly unknown[]): string[] {
  if (choice === undefined) return [];
  const optional = fields.filter(isObject).filter(({ required }) => required === false);
  const names = new Set(optional.map(({ name }) => name));
  const isRight = Array.isArray(choice) && choice.every((name) => names.has(name));
  return unless(isRight, "credentials.exactlyOneOf must list names of fields that are not required");
}

function findGuideProblems(guides: unknown): string[] {
  if (guides === undefined) return [];
  const isRight = isObject(guides) && isGuide(guides["test"]) && isGuide(guides["live"]);
  return unless(
    isRight,
    "credentials.guides must have test and live, each with steps (texts) and, if any, a url, or be left out",
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

function unless(isRight: boolean, problem: string): string[] {
  return isRight ? [] : [problem];
}
