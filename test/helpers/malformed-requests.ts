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

/** In place of a path segment. */
const BROKEN_SEGMENTS = [
  ...words(`%00 %2F ..%2f..%2fhealthz %zz % %e0%a4%a %c0%af %ff __proto__ constructor {id} :id * ** mer_ null 0 -1 %20
    doc_0000000000000000000000 doc_00000000000000000000000 doc_${"%CE%91".repeat(11)} '%20or%201=1-- ;a=b`),
  " ",
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

const CONTENT_TYPES = [
  ...words(
    "text/plain text/html application/xml application/x-www-form-urlencoded application/json;;; application/jsonp",
  ),
  "",
  "multipart/form-data; boundary=x",
  "application/json; charset=utf-16",
  "application/json; charset=",
  "application/json; charset=utf-8",
  "application/json, text/plain",
  `application/${MARKER}`,
  "\u00e9",
];

const ODD_HEADERS: readonly (readonly [string, string])[] = [
  ["idempotency-key", ""],
  ["idempotency-key", " "],
  ["idempotency-key", "k".repeat(256)],
  ["idempotency-key", `two words ${MARKER}`],
  ["idempotency-key", "\u00e9\u00e9"],
  ["idempotency-key", `${MARKER}, ${MARKER}`],
  ["idempotency-key", "__proto__"],
  ["x-request-id", ""],
  ["x-request-id", "short"],
  ["x-request-id", `with spaces ${MARKER}`],
  ["x-request-id", "r".repeat(129)],
  ["x-request-id", "\u00ff".repeat(20)],
  ["x-request-id", `req_${"0".repeat(36)}`],
  ["x-forwarded-for", "not an address, ::1, 999.999.999.999"],
  ["x-forwarded-host", MARKER],
  ["accept", "application/xml;q=0"],
  ["accept-language", "el,*;q=0"],
  ["accept-encoding", "br;q=NaN"],
  ["content-encoding", "gzip"],
  ["content-length", "99999999999"],
  ["content-length", "-1"],
  ["content-length", MARKER],
  ["transfer-encoding", "chunked"],
  ["range", "bytes=0-1,-5"],
  ["if-none-match", "*"],
  ["expect", MARKER],
  ["origin", "null"],
  ["cookie", `__proto__=1; a=${MARKER}`],
  ["x-http-method-override", "DELETE"],
  ["authorization", ""],
  ["authorization", "Bearer"],
  ["authorization", `Bearer ${MARKER}`],
  ["authorization", `Basic ${Buffer.from(`${MARKER}:`).toString("base64")}`],
  ["authorization", `Bearer fiscal_test_${"0".repeat(36)}`],
  ["authorization", `Bearer ${"b".repeat(9000)}`],
];

type Container = Record<string, unknown>;

/** A value in a body. */
interface Place {
  container: Container;
  key: string;
}

/** The values in `container`, an object or an array, at any depth. */
function placesOf(container: object): Place[] {
  return Object.entries(container).flatMap(([key, inner]) => [
    { container: container as Container, key },
    ...(typeof inner === "object" && inner !== null ? placesOf(inner) : []),
  ]);
}

/** `hole` stands for a raw text until the body is written. */
type Spoil = (random: Random, place: Place, hole: (text: string) => string) => void;

const replace: Spoil = (random, { container, key }, hole) => {
  container[key] = hole(pick(random, VALUES));
};

const SPOILS: readonly Spoil[] = [
  replace,
  replace,
  replace,
  function remove(_random, { container, key }) {
    if (Array.isArray(container)) container.splice(Number(key), 1);
    else delete container[key];
  },
  function repeat(random, { container, key }, hole) {
    const value = container[key];
    if (Array.isArray(container))
      container.push(...Array.from({ length: 1 + integerUpTo(random, 20) }, () => value));
    else container[hole(quoted(key))] = value;
  },
  function rename(random, { container, key }, hole) {
    if (Array.isArray(container)) return;
    container[hole(quoted(pick(random, [...KEYS, key.toUpperCase()])))] = container[key];
    delete container[key];
  },
  function add(random, { container }, hole) {
    if (!Array.isArray(container)) container[hole(quoted(pick(random, KEYS)))] = hole(pick(random, VALUES));
  },
  function wrapInArray(_random, { container, key }) {
    container[key] = [container[key]];
  },
  function wrapInObject(_random, { container, key }) {
    container[key] = { value: container[key] };
  },
  function writeAsText(_random, { container, key }) {
    container[key] = JSON.stringify(container[key]);
  },
  function lengthen(random, { container, key }) {
    const value = container[key];
    if (typeof value === "string")
      container[key] = value + pick(random, [MARKER, " ", "\u0000", "9", "\u0301"]);
  },
];

const OPENINGS_MAX = 1000;

/** The JSON of `body` with one to three changes; random changes if it is none, or cannot be walked. */
function spoilTree(random: Random, body: Buffer): Buffer {
  const text = body.toString();
  if ((text.match(/[[{]/g)?.length ?? 0) > OPENINGS_MAX) return spoilBytes(random, body);
  let root: unknown[];
  try {
    root = [JSON.parse(text)];
  } catch {
    return spoilBytes(random, body);
  }
  const raw: string[] = [];
  const hole = (written: string) => `@${raw.push(written) - 1}@`;
  for (let count = 1 + integerUpTo(random, 3); count > 0; count -= 1) {
    const places = placesOf(root);
    const inside = places.length > 1 && random() < 0.95 ? places.slice(1) : places;
    if (inside.length > 0) pick(random, SPOILS)(random, pick(random, inside), hole);
  }
  const written = JSON.stringify(root).slice(1, -1);
  return Buffer.from(written.replaceAll(/"@(\d+)@"/g, (_all, index: string) => raw[Number(index)]!));
}

function randomBytes(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => integerUpTo(random, 256)));
}

const INVALID_UTF8: readonly number[][] = [
  [0xff],
  [0xc0, 0x80],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xe2, 0x82],
  [0x80],
];

const BYTE_SPOILS: readonly ((random: Random, body: Buffer) => Buffer)[] = [
  (random, body) => body.subarray(0, integerUpTo(random, body.length + 1)),
  (random, body) => body.subarray(integerUpTo(random, body.length + 1)),
  (random, body) => {
    const copy = Buffer.from(body);
    for (let count = 0; count < 4 && copy.length > 0; count += 1)
      copy[integerUpTo(random, copy.length)] = integerUpTo(random, 256);
    return copy;
  },
  (random, body) => {
    const at = integerUpTo(random, body.length + 1);
    return Buffer.concat([body.subarray(0, at), Buffer.from(pick(random, INVALID_UTF8)), body.subarray(at)]);
  },
  (_random, body) => Buffer.concat([Buffer.from("\ufeff"), body]),
  (_random, body) => Buffer.concat([Buffer.from("\ufeff\ufeff"), body]),
  (_random, body) => Buffer.from(body.toString(), "utf16le"),
  (_random, body) => Buffer.concat([body, body]),
  (_random, body) => Buffer.concat([body, Buffer.from(` // ${MARKER}`)]),
  (_random, body) => Buffer.from(`[${body.toString()}]`),
  (_random, body) => Buffer.from(body.toString().replaceAll('"', "'")),
  (_random, body) => Buffer.from(encodeURIComponent(body.toString())),
  (random) => randomBytes(random, integerUpTo(random, 300)),
  (random) => Buffer.from(pick(random, VALUES)),
  () => Buffer.alloc(0),
  () => Buffer.from(" \n\t "),
  () => Buffer.from("\0".repeat(100)),
];

/** Random bytes instead of `body`, or `body` with some bytes changed. */
function spoilBytes(random: Random, body: Buffer | null): Buffer {
  return pick(random, BYTE_SPOILS)(random, body ?? Buffer.from("{}"));
}

const METHODS = words("GET POST PUT PATCH DELETE OPTIONS PROPFIND get M-SEARCH");

type Mutation = (random: Random, request: Outgoing, ids: Ids) => Outgoing;

function splitPath(path: string): [segments: string[], query: string | undefined] {
  const start = path.indexOf("?");
  const pathname = start === -1 ? path : path.slice(0, start);
  return [pathname.split("/"), start === -1 ? undefined : path.slice(start + 1)];
}

function joinPath(segments: readonly string[], query: string | undefined): string {
  return `${segments.join("/")}${query === undefined ? "" : `?${query}`}`;
}

/** Segments after `/api/v1/`. */
const FIRST_SEGMENT = 3;

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  spoilBody: (random, request) => ({
    ...request,
    body: request.body === null ? Buffer.from(MARKER) : spoilTree(random, request.body),
  }),
  spoilBytes: (random, request) => ({ ...request, body: spoilBytes(random, request.body) }),
  spoilSegment(random, request, ids) {
    const [segments, query] = splitPath(request.path);
    const at = FIRST_SEGMENT + integerUpTo(random, Math.max(1, segments.length - FIRST_SEGMENT));
    const wrong = pick(random, [BROKEN_SEGMENTS, BROKEN_SEGMENTS, ids.own, ids.foreign]);
    segments[at] = pick(random, wrong);
    return { ...request, path: joinPath(segments, query) };
  },
  otherMode(random, request, ids) {
    const [segments, query] = splitPath(request.path);
    const swapped = segments.map((segment) =>
      /^[a-z]{2,3}_/.test(segment) ? pick(random, ids.foreign) : segment,
    );
    return { ...request, path: joinPath(swapped, query) };
  },
  moveSegments(random, request) {
    const [segments, query] = splitPath(request.path);
    const at = 1 + integerUpTo(random, segments.length);
    if (random() < 0.5) segments.splice(at, 0, pick(random, ["", "", MARKER, "%2e%2e%2f"]));
    else segments.splice(at, 1);
    const path = joinPath(segments, query);
    return { ...request, path: random() < 0.2 ? path.toUpperCase() : path };
  },
  addParameter(random, request, ids) {
    const name = pick(random, PARAMETER_NAMES);
    const value =
      random() < 0.3 ? pick(random, [...ids.own, ...ids.foreign]) : pick(random, PARAMETER_VALUES);
    const pair = random() < 0.9 ? `${name}=${value}` : name;
    const added = random() < 0.2 ? `${pair}&${pair}` : pair;
    return { ...request, path: `${request.path}${request.path.includes("?") ? "&" : "?"}${added}` };
  },
  spoilQuery(random, request) {
    const junk = Array.from({ length: 1 + integerUpTo(random, 40) }, () =>
      pick(random, ["&", "=", "%", "[", "]", "a", "+"]),
    );
    return { ...request, path: `${request.path.split("?")[0]}?${junk.join("")}` };
  },
  contentType: (random, request) => ({
    ...request,
    headers: { ...request.headers, "content-type": pick(random, CONTENT_TYPES) },
  }),
  oddHeader(random, request) {
    const [name, value] = pick(random, ODD_HEADERS);
    return { ...request, headers: { ...request.headers, [name]: value } };
  },
  dropHeader(random, request) {
    const dropped = pick(random, Object.keys(request.headers));
    const kept = Object.entries(request.headers).filter(([name]) => name !== dropped);
    return { ...request, headers: Object.fromEntries(kept) };
  },
  otherMethod: (random, request) => ({ ...request, method: pick(random, METHODS) }),
};

const NAMES = Object.keys(MUTATIONS);
/** Bodies can be wrong in the most ways, so they are mutated as often as everything else together. */
const NAMES_WITH_BODY = [
  ...NAMES,
  ...Array.from({ length: 8 }, () => "spoilBody"),
  "spoilBytes",
  "spoilBytes",
];

export interface Mutated {
  request: Outgoing;
  /** The names of the mutations, in order, for failure messages. */
  steps: string[];
}

/** Applies one to four mutations to `valid`. */
export function mutate(random: Random, valid: Outgoing, ids: Ids): Mutated {
  const names = valid.body === null ? NAMES : NAMES_WITH_BODY;
  const steps = Array.from({ length: random() < 0.6 ? 1 : 2 + integerUpTo(random, 3) }, () =>
    pick(random, names),
  );
  let request = valid;
  for (const step of steps) request = MUTATIONS[step]!(random, request, ids);
  return { request, steps };
}
