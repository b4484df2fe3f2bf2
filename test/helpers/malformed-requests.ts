/**
 * Requests as faulty callers, proxies and attackers send them, made from valid ones. A seed determines the mutations, so each
 * can be repeated.
 */

/** Returns a number from 0 up to, not including, 1. */
export type Random = () => number;

function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)]!;
}

function integerUpTo(random: Random, below: number): number {
  return Math.floor(random() * below);
}

/** A request as sent; `path` includes its query. */
export interface Outgoing {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

/** Values inserted into paths and cursors. */
export interface Ids {
  /** Ids of any kind in the key's own mode. */
  own: readonly string[];
  /** Ids in the other mode. */
  foreign: readonly string[];
}

/** Occurs in values put into requests; no error message may repeat it. The hyphen keeps it from passing as a name. */
export const MARKER = "Zq7-rejected";

const words = (text: string): string[] => text.trim().split(/\s+/);
const quoted = (text: string) => JSON.stringify(text);
const nested = (depth: number, open: string, close: string) =>
  `${open.repeat(depth)}"${MARKER}"${close.repeat(depth)}`;

/** Texts with the marker, and others that are JSON but no valid value of any field. */
const TEXTS = [
  MARKER,
  `${MARKER}@example.com`,
  `  ${MARKER}  `,
  `mer_${MARKER}`,
  MARKER + "z".repeat(200),
  MARKER + "z".repeat(5000),
  "\u{1F600}".repeat(300),
  `<b>&"'${MARKER}]]>`,
  `'; drop table documents; --${MARKER}`,
  `${MARKER}\u0000`,
  `javascript:alert(1)//${MARKER}`,
  `https://user:${MARKER}@localhost/`,
  "https://[::1",
  "//",
  `${MARKER}\u2028\u200f`,
  "Α".repeat(2001),
];

/** In place of any value of a body: numbers, texts, dates, codes and objects, some of which are no JSON. */
const VALUES: readonly string[] = [
  ...words(String.raw`
    null true false [] {} "" 0 -0 -1 1.5 0.1 1.0 10000 1e400 -1e400 1e-400 9007199254740993 100000000000000000000 1E2
    NaN Infinity undefined 01 +1 0x10 .5 'x' /**/1 [1,] {,} "NaN" "Infinity" "1e5" "0.0001" "-1" "1,5" "999999999.999" "٣"
    "\ud800" "\udc00\ud800" "\u0000" "\u0007\u001b[31m" "\u0020" "\ufeff" "\uffff" "\u202e" "\x" "\u12" "a\ud800b"
    "\u0391\u0301\u0345" "\ud83d\ude00" "2026-02-31" "0000-00-00" "9999-12-31" "2026-11-21T00:00:00Z" "+012026-01-01"
    "EL" "gr" "XX" "123456789" "000000000" "__proto__" "constructor" "category1_1"
    {"__proto__":{"polluted":1}} {"constructor":{"prototype":{"polluted":1}}} {"toString":1,"length":-1} {"a":1,"a":2}
    {"":0} [[]] [null]`),
  '"\u0001"',
  '"\n"',
  "1".repeat(400),
  nested(20, "[", "]"),
  nested(33, "[", "]"),
  nested(40, '{"a":', "}"),
  "[".repeat(50_000),
  nested(20_000, "[", "]"),
  `[${"0,".repeat(3000)}0]`,
  `["${MARKER}"]`,
  `{"${MARKER}":"${MARKER}"}`,
  ...TEXTS.map(quoted),
];

/** In place of any key of a body. */
const KEYS = [
  ...words("__proto__ constructor prototype id object mode"),
  "",
  " ",
  "\ud800",
  MARKER,
  `${MARKER}\u0000`,
];

/** In place of any piece of a path or its query, or beside it. */
const PATH_PIECES = [
  ...words(`%00 %2F ..%2f..%2fhealthz %2e%2e%2f %zz % %e0%a4%a %c0%af %ff __proto__ constructor {id} :id * ** mer_ null 0 -1
    %20 doc_0000000000000000000000 doc_00000000000000000000000 doc_${"%CE%91".repeat(11)} '%20or%201=1-- ;a=b / & = ? [ ] +`),
  " ",
  "",
  MARKER,
  "x".repeat(3000),
];

const PARAMETER_VALUES = [
  ...words(`0 -0 -1 1e400 NaN 101 99999999999999999999 true null %00 %zz %ed%a0%80 %ff%fe %f0%9f%98%80 %27%22%3C%3E
    2026-02-31T00:00:00Z 0000-00-00 9999-12-31T23:59:59.999999999Z +2026-01-01T00:00:00Z evt_0000000000000000000000`),
  "",
  MARKER,
  `${MARKER}${"y".repeat(4000)}`,
];

const PARAMETER_NAMES = [
  ...words(`limit starting_after ending_before created[gte] created%5Blte%5D created status type merchant document mark
    provider __proto__ constructor toString %00 %zz`),
  "",
  MARKER,
  "n".repeat(500),
];

/** Values that a header may not have, or that mean nothing here. */
const ODD_HEADERS: Readonly<Record<string, readonly string[]>> = {
  "content-type": [
    ...words("text/plain text/html application/xml application/x-www-form-urlencoded application/json;;;"),
    ...words(`application/jsonp application/${MARKER} \u00e9`),
    "",
    "multipart/form-data; boundary=x",
    "application/json; charset=utf-16",
    "application/json; charset=",
    "application/json; charset=utf-8",
    "application/json, text/plain",
  ],
  "idempotency-key": [
    ...words("\u00e9\u00e9 __proto__"),
    "",
    " ",
    "k".repeat(256),
    `two words ${MARKER}`,
    `${MARKER}, ${MARKER}`,
  ],
  "x-request-id": [
    "",
    "short",
    `with spaces ${MARKER}`,
    "r".repeat(129),
    "\u00ff".repeat(20),
    `req_${"0".repeat(36)}`,
  ],
  "x-forwarded-for": ["not an address, ::1, 999.999.999.999"],
  "x-forwarded-host": [MARKER],
  accept: ["application/xml;q=0"],
  "accept-language": ["el,*;q=0"],
  "accept-encoding": ["br;q=NaN"],
  "content-encoding": ["gzip"],
  "content-length": ["99999999999", "-1", MARKER],
  "transfer-encoding": ["chunked"],
  range: ["bytes=0-1,-5"],
  "if-none-match": ["*"],
  expect: [MARKER],
  origin: ["null"],
  cookie: [`__proto__=1; a=${MARKER}`],
  "x-http-method-override": ["DELETE"],
  authorization: [
    "",
    "Bearer",
    `Bearer ${MARKER}`,
    `Basic ${Buffer.from(`${MARKER}:`).toString("base64")}`,
    `Bearer fiscal_test_${"0".repeat(36)}`,
    `Bearer ${"b".repeat(9000)}`,
  ],
};

/** The JSON of `body` with one to three values changed; random changes if it is none, or too deep. */
function spoilTree(random: Random, body: Buffer): Buffer {
  const raw: string[] = [];
  /** Stands for a text that need not be JSON until the rest is written. */
  const hole = (written: string) => `@${raw.push(written) - 1}@`;
  const anyValue = () => hole(pick(random, VALUES));
  const change = (value: unknown): unknown => {
    const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
    const added = () => ({
      ...(value as object),
      [hole(quoted(pick(random, [...KEYS, ...keys])))]: anyValue(),
    });
    const none = () => undefined;
    const lengthened = () => `${String(value)}${pick(random, [MARKER, " ", "\u0000", "9", "\u0301"])}`;
    const ways = [anyValue, anyValue, anyValue, none, () => [value, value], () => ({ value })];
    return pick(random, [...ways, () => JSON.stringify(value), added, lengthened])();
  };
  try {
    const root: unknown = JSON.parse(body.toString());
    let places = 0;
    JSON.stringify(root, (_key, value: unknown) => ((places += 1), value));
    // The first place is the whole body: bytes that are spoiled replace that often enough.
    const inside = () => Math.min(places, 2 + integerUpTo(random, places - 1));
    const chosen = new Set(Array.from({ length: 1 + integerUpTo(random, 3) }, inside));
    let place = 0;
    const written = JSON.stringify(root, (_key, value: unknown) =>
      chosen.delete((place += 1)) ? change(value) : value,
    );
    return Buffer.from(written.replaceAll(/"@(\d+)@"/g, (_all, index: string) => raw[Number(index)]!));
  } catch {
    return spoilBytes(random, body);
  }
}

const INVALID_UTF8 = ["ff", "c080", "eda080", "f4908080", "e282", "80"];

const BYTE_SPOILS: readonly ((random: Random, body: Buffer) => Buffer | string)[] = [
  (random, body) => body.subarray(0, integerUpTo(random, body.length + 1)),
  (random, body) => body.subarray(integerUpTo(random, body.length + 1)),
  (random, body) => body.map((byte) => (random() < 0.02 ? integerUpTo(random, 256) : byte)) as Buffer,
  (random, body) => {
    const at = integerUpTo(random, body.length + 1);
    const invalid = Buffer.from(pick(random, INVALID_UTF8), "hex");
    return Buffer.concat([body.subarray(0, at), invalid, body.subarray(at)]);
  },
  (random, body) => pick(random, ["\ufeff", "\ufeff\ufeff"]) + body.toString(),
  (_random, body) => Buffer.from(body.toString(), "utf16le"),
  (_random, body) => Buffer.concat([body, body]),
  (_random, body) => `${body.toString()} // ${MARKER}`,
  (_random, body) => `[${body.toString()}]`,
  (_random, body) => body.toString().replaceAll('"', "'"),
  (_random, body) => encodeURIComponent(body.toString()),
  (random) => Buffer.alloc(integerUpTo(random, 300)).map(() => integerUpTo(random, 256)) as Buffer,
  (random) => pick(random, ["", " \n\t ", "\0".repeat(100), ...VALUES]),
];

function spoilBytes(random: Random, body: Buffer): Buffer {
  return Buffer.from(pick(random, BYTE_SPOILS)(random, body));
}

/** Follows `/api/v1`. */
const PATH_START = 7;

const METHODS = words("GET POST PUT PATCH DELETE OPTIONS PROPFIND get M-SEARCH");

type Mutation = (random: Random, request: Outgoing, ids: Ids) => Partial<Outgoing>;

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  spoilBody: (random, { body }) => ({ body: body === null ? Buffer.from(MARKER) : spoilTree(random, body) }),
  spoilBytes: (random, { body }) => ({ body: spoilBytes(random, body ?? Buffer.from("{}")) }),
  spoilPath(random, { path }, { own, foreign }) {
    const start = random() < 0.9 ? PATH_START : 1;
    const pieces = path.slice(start).match(/[^/?&=]+|[/?&=]/g) ?? [];
    const at = integerUpTo(random, pieces.length + 1);
    const [old = "", other] = [
      pieces[at],
      pick(random, pick(random, [PATH_PIECES, PATH_PIECES, own, foreign])),
    ];
    pieces.splice(
      at,
      1,
      ...pick(random, [[other], [other], [], [old, old], [old, other], [old.toUpperCase()]]),
    );
    return { path: path.slice(0, start) + pieces.join("") };
  },
  otherMode: (random, { path }, { foreign }) => ({
    path: path.replaceAll(/[a-z]{2,3}_\w+/g, () => pick(random, foreign)),
  }),
  addParameter(random, { path }, { own, foreign }) {
    const value = pick(random, random() < 0.3 ? [...own, ...foreign] : PARAMETER_VALUES);
    const pair = `${pick(random, PARAMETER_NAMES)}=${value}`;
    return {
      path: path + (path.includes("?") ? "&" : "?") + pick(random, [pair, pair, pair, `${pair}&${pair}`]),
    };
  },
  oddHeader(random, { headers }) {
    const [name, values] = pick(random, Object.entries(ODD_HEADERS));
    return { headers: { ...headers, [name]: pick(random, values) } };
  },
  dropHeader(random, { headers }) {
    const dropped = pick(random, Object.keys(headers));
    return { headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== dropped)) };
  },
  otherMethod: (random) => ({ method: pick(random, METHODS) }),
};

const NAMES = Object.keys(MUTATIONS);
/** Bodies can be wrong in the most ways. */
const NAMES_WITH_BODY = [
  ...NAMES,
  ...Array.from({ length: 6 }, () => "spoilBody"),
  "spoilBytes",
  "spoilBytes",
];

/** Applies one to four mutations to `valid`, and names them for failure messages. */
export function mutate(random: Random, valid: Outgoing, ids: Ids): { request: Outgoing; steps: string[] } {
  const names = valid.body === null ? NAMES : NAMES_WITH_BODY;
  const length = random() < 0.6 ? 1 : 2 + integerUpTo(random, 3);
  const steps = Array.from({ length }, () => pick(random, names));
  const request = steps.reduce((sent, step) => ({ ...sent, ...MUTATIONS[step]!(random, sent, ids) }), valid);
  return { request, steps };
}
