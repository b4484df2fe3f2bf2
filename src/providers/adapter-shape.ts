/** Whether something is an adapter, as far as can be seen without calling it: every member, and what it may be. Pure. */
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

/** What a credential may be called: also as the end of the environment variable FISCAL_CREDENTIAL_… */
const FIELD_NAME = /^[a-z][a-z0-9_]*$/;

/** A sentence for each thing that `value` lacks to be the adapter of `provider`; empty where it lacks nothing. */
export function findShapeProblems(value: unknown, provider: Provider): string[] {
  if (!isObject(value)) return ["it is not an object"];
  const { numbering, issueBatchMax, askBatchMax, canCancel, hasPdf, credentials, settle, check } = value;
  return [
    ...METHODS.filter((name) => typeof value[name] !== "function").map(
      (name) => `${name} must be a function`,
    ),
    ...unless(value["provider"] === provider, `provider must be "${provider}"`),
    ...unless(numbering === "ours" || numbering === "provider", 'numbering must be "ours" or "provider"'),
    ...unless(isWhole(issueBatchMax, 1), "issueBatchMax must be a whole number from 1 on"),
    ...unless(
      askBatchMax === undefined || isWhole(askBatchMax, 1),
      "askBatchMax must be a whole number from 1 on, or not be there",
    ),
    ...unless(typeof canCancel === "boolean", "canCancel must be true or false"),
    ...unless(isOptional(hasPdf, "boolean"), "hasPdf must be true or false, or not be there"),
    ...unless(
      isObject(settle) && isWhole(settle["askings"], 1) && isWhole(settle["seconds"], 0),
      "settle must have askings, a whole number from 1 on, and seconds, a whole number from 0 on",
    ),
    ...unless(
      check === undefined || typeof check === "function",
      "check must be a function, or not be there",
    ),
    ...(credentials === null ? [] : formProblems(credentials)),
  ];
}

function formProblems(form: unknown): string[] {
  if (!isObject(form) || !Array.isArray(form["fields"])) {
    return ["credentials must be null, or a form with fields"];
  }
  const fields: readonly unknown[] = form["fields"];
  const names = fields.map((field) => (isObject(field) ? field["name"] : undefined));
  const repeated = new Set(names).size < names.length;
  return [
    ...fields.flatMap((field, index) => fieldProblems(field, `credentials.fields[${index}]`)),
    ...unless(!repeated, "credentials.fields must each have a name of their own"),
    ...choiceProblems(form["exactlyOneOf"], fields),
  ];
}

function fieldProblems(field: unknown, path: string): string[] {
  if (!isObject(field)) return [`${path} must be an object`];
  const { name, label, secret, required, lengthMax, format, unpadded, ascii, help } = field;
  return [
    ...unless(
      typeof name === "string" && FIELD_NAME.test(name),
      `${path}.name must be of lower-case letters, digits and _`,
    ),
    ...unless(typeof label === "string" && label !== "", `${path}.label must be a text`),
    ...unless(typeof secret === "boolean", `${path}.secret must be true or false`),
    ...unless(typeof required === "boolean", `${path}.required must be true or false`),
    ...unless(isWhole(lengthMax, 1), `${path}.lengthMax must be a whole number from 1 on`),
    ...unless(format === undefined || format === "email", `${path}.format must be "email", or not be there`),
    ...unless(isOptional(unpadded, "boolean"), `${path}.unpadded must be true or false, or not be there`),
    ...unless(isOptional(ascii, "boolean"), `${path}.ascii must be true or false, or not be there`),
    ...unless(isOptional(help, "string"), `${path}.help must be a text, or not be there`),
  ];
}

/** A name that is chosen of several is a field's, and that field is not required by itself. */
function choiceProblems(choice: unknown, fields: readonly unknown[]): string[] {
  if (choice === undefined) return [];
  const optional = fields.filter(isObject).filter(({ required }) => required === false);
  const names = new Set(optional.map(({ name }) => name));
  const isRight = Array.isArray(choice) && choice.every((name) => names.has(name));
  return unless(isRight, "credentials.exactlyOneOf must be a list of names of fields that are not required");
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isWhole(value: unknown, min: number): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= min;
}

function isOptional(value: unknown, type: "boolean" | "string"): boolean {
  return value === undefined || typeof value === type;
}

function unless(isRight: boolean, problem: string): string[] {
  return isRight ? [] : [problem];
}
