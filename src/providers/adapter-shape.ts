/** Checks that a value has the shape of an adapter, without calling it. Pure. */
import type { Provider } from "../../storage/stored-values.ts";
import type { Text } from "../foundation/text.ts";

type Members = Readonly<Record<string, unknown>>;

/** The values that a member may have. */
interface Kind {
  what: Text;
  has(value: unknown): boolean;
  isOptional?: true;
}

const FUNCTION: Kind = {
  what: { en: "a function", el: "συνάρτηση" },
  has: (value) => typeof value === "function",
};
const BOOLEAN: Kind = {
  what: { en: "true or false", el: "true ή false" },
  has: (value) => typeof value === "boolean",
};
/** A string, or one for each language. */
const TEXT: Kind = {
  what: { en: "a text", el: "κείμενο" },
  has: (value) => (isObject(value) ? [value["en"], value["el"]] : [value]).every(isFilled),
};
const HELP: Kind = { ...TEXT, has: (value) => value === "" || TEXT.has(value) };
const COUNT: Kind = {
  what: { en: "an integer of at least 1", el: "ακέραιος τουλάχιστον 1" },
  has: (value) => isInteger(value, 1),
};

function oneOf(...words: readonly string[]): Kind {
  const listed = words.map((word) => `"${word}"`);
  return {
    what: { en: listed.join(" or "), el: listed.join(" ή ") },
    has: (value) => words.some((word) => word === value),
  };
}

function optional(kind: Kind): Kind {
  return { ...kind, isOptional: true };
}

const MEMBERS: Readonly<Record<string, Kind>> = {
  buildPayload: FUNCTION,
  issue: FUNCTION,
  status: FUNCTION,
  reconcile: FUNCTION,
  cancel: FUNCTION,
  findCancellation: FUNCTION,
  fetchPdf: FUNCTION,
  verify: FUNCTION,
  name: optional(TEXT),
  numbering: oneOf("ours", "provider"),
  issueBatchMax: COUNT,
  askBatchMax: optional(COUNT),
  canCancel: BOOLEAN,
  hasPdf: optional(BOOLEAN),
  isAuthority: optional(BOOLEAN),
  check: optional(FUNCTION),
  listDocuments: optional(FUNCTION),
  listVatFigures: optional(FUNCTION),
  listRefusals: optional(FUNCTION),
  readDocument: optional(FUNCTION),
};

const FIELD_MEMBERS: Readonly<Record<string, Kind>> = {
  label: TEXT,
  secret: BOOLEAN,
  required: BOOLEAN,
  lengthMax: COUNT,
  format: optional(oneOf("email")),
  unpadded: optional(BOOLEAN),
  ascii: optional(BOOLEAN),
  help: optional(HELP),
};

/** Why `value` is not an adapter of `provider`, one sentence for each member that is wrong; empty if it is one. */
export function findShapeProblems(value: unknown, provider: Provider): Text[] {
  if (!isObject(value)) return [{ en: "it is not an object", el: "δεν είναι object" }];
  const { credentials, settle } = value;
  return [
    ...findMemberProblems(value, { provider: oneOf(provider), ...MEMBERS }),
    ...unless(isObject(settle) && isInteger(settle["askings"], 1) && isInteger(settle["seconds"], 0), {
      en: "settle must have askings, an integer of at least 1, and seconds, an integer of at least 0",
      el: "το settle πρέπει να έχει askings, ακέραιο τουλάχιστον 1, και seconds, ακέραιο τουλάχιστον 0",
    }),
    ...(credentials === null ? [] : findFormProblems(credentials)),
  ];
}

function findMemberProblems(value: Members, members: Readonly<Record<string, Kind>>, path = ""): Text[] {
  return Object.entries(members).flatMap(([name, { what, has, isOptional }]) => {
    const member = value[name];
    if (isOptional && member === undefined) return [];
    const [en, el] = isOptional ? [", or left out", ", ή να λείπει"] : ["", ""];
    return unless(has(member), mustBe(path + name, { en: what.en + en, el: what.el + el }));
  });
}

function mustBe(member: string, what: Text): Text {
  return { en: `${member} must be ${what.en}`, el: `το ${member} πρέπει να είναι ${what.el}` };
}

/** Field names also end environment variables: FISCAL_CREDENTIAL_... */
const FIELD_NAME = /^[a-z][a-z0-9_]*$/;

function findFormProblems(form: unknown): Text[] {
  if (!isObject(form) || !Array.isArray(form["fields"])) {
    return [mustBe("credentials", { en: "null, or a form with fields", el: "null, ή φόρμα με fields" })];
  }
  const { exactlyOneOf: choice = [], guides } = form;
  const fields: readonly unknown[] = form["fields"];
  const read = fields.filter(isObject);
  const optionalNames = new Set(read.filter(({ required }) => required === false).map(({ name }) => name));
  return [
    ...fields.flatMap((field, index) => findFieldProblems(field, `credentials.fields[${index}]`)),
    ...unless(new Set(read.map(({ name }) => name)).size === read.length, {
      en: "credentials.fields must have different names",
      el: "τα credentials.fields πρέπει να έχουν διαφορετικά ονόματα",
    }),
    ...unless(Array.isArray(choice) && choice.every((name) => optionalNames.has(name)), {
      en: "credentials.exactlyOneOf must list names of fields that are not required",
      el: "το credentials.exactlyOneOf πρέπει να έχει ονόματα πεδίων που δεν είναι υποχρεωτικά",
    }),
    ...unless(
      guides === undefined || (isObject(guides) && isGuide(guides["test"]) && isGuide(guides["live"])),
      {
        en: "credentials.guides must have test and live, each with steps (texts) and an optional url, or left out",
        el: "το credentials.guides πρέπει να έχει test και live, το καθένα με steps (κείμενα) και προαιρετικά url, ή να λείπει",
      },
    ),
  ];
}

function findFieldProblems(field: unknown, path: string): Text[] {
  if (!isObject(field)) return [mustBe(path, { en: "an object", el: "object" })];
  const { name } = field;
  return [
    ...unless(typeof name === "string" && FIELD_NAME.test(name), {
      en: `${path}.name must consist of lower-case letters, digits and _`,
      el: `το ${path}.name πρέπει να έχει μόνο μικρά λατινικά γράμματα, ψηφία και _`,
    }),
    ...findMemberProblems(field, FIELD_MEMBERS, `${path}.`),
  ];
}

function isGuide(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { steps, url } = value;
  const isAddress = typeof url === "string" && /^https?:/.test(url) && URL.canParse(url);
  return Array.isArray(steps) && steps.every(TEXT.has) && (url === undefined || isAddress);
}

function isFilled(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isInteger(value: unknown, min: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= min;
}

function unless(isRight: boolean, problem: Text): Text[] {
  return isRight ? [] : [problem];
}
