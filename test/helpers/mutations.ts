/** Requests spoilt in ways that callers, proxies and attackers spoil them: drawn from a seed, so that each can be played again. */
import { integerUpTo, MARKER, pick, type Random, spoilBytes, spoilTree } from "./body-mutations.ts";

/** A request as it goes out; `path` has its query. */
export interface Outgoing {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

/** What paths and cursors are spoilt with. */
export interface Ids {
  /** Of things of the key's own mode, of any kind. */
  own: readonly string[];
  /** Of the other mode. */
  foreign: readonly string[];
}

const BROKEN_SEGMENTS = [
  "%00",
  "%2F",
  "..%2f..%2fhealthz",
  "%zz",
  "%",
  "%e0%a4%a",
  "%c0%af",
  "%ff",
  "__proto__",
  "constructor",
  "{id}",
  ":id",
  "*",
  "**",
  "mer_",
  "doc_0000000000000000000000",
  "doc_00000000000000000000000",
  "doc_%CE%91%CE%91%CE%91%CE%91%CE%91%CE%91%CE%91%CE%91%CE%91%CE%91%CE%91",
  "null",
  "0",
  "-1",
  " ",
  "%20",
  "'%20or%201=1--",
  ";a=b",
  MARKER,
  "x".repeat(3000),
] as const;

const PARAMETER_VALUES = [
  "",
  "0",
  "-0",
  "-1",
  "1e400",
  "NaN",
  "101",
  "99999999999999999999",
  "true",
  "null",
  "%00",
  "%zz",
  "%ed%a0%80",
  "%ff%fe",
  "%f0%9f%98%80",
  "2026-02-31T00:00:00Z",
  "0000-00-00",
  "9999-12-31T23:59:59.999999999Z",
  "+2026-01-01T00:00:00Z",
  MARKER,
  `${MARKER}${"y".repeat(4000)}`,
  "evt_0000000000000000000000",
  "%27%22%3C%3E",
] as const;

const PARAMETER_NAMES = [
  "limit",
  "starting_after",
  "ending_before",
  "created[gte]",
  "created%5Blte%5D",
  "created",
  "status",
  "type",
  "merchant",
  "document",
  "mark",
  "provider",
  "__proto__",
  "constructor",
  "toString",
  "",
  "%00",
  "%zz",
  MARKER,
  "n".repeat(500),
] as const;

const CONTENT_TYPES = [
  "",
  "text/plain",
  "text/html",
  "application/xml",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/json; charset=utf-16",
  "application/json; charset=",
  "application/json;;;",
  "application/jsonp",
  "application/json, text/plain",
  `application/${MARKER}`,
  "\u00e9",
  "application/json; charset=utf-8",
] as const;

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

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "get", "M-SEARCH"] as const;

type Mutation = (random: Random, request: Outgoing, ids: Ids) => Outgoing;

function splitPath(path: string): [segments: string[], query: string | undefined] {
  const start = path.indexOf("?");
  const pathname = start === -1 ? path : path.slice(0, start);
  return [pathname.split("/"), start === -1 ? undefined : path.slice(start + 1)];
}

function joinPath(segments: readonly string[], query: string | undefined): string {
  return `${segments.join("/")}${query === undefined ? "" : `?${query}`}`;
}

/** Segments behind `/api/v1/`. */
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
/** A body has the most ways of being wrong: it is spoilt as often as all else. */
const NAMES_WITH_BODY = [
  ...NAMES,
  ...Array.from({ length: 8 }, () => "spoilBody"),
  "spoilBytes",
  "spoilBytes",
];

export interface Mutated {
  request: Outgoing;
  /** The names of what was done, in order: for the message of a failure. */
  steps: string[];
}

/** Spoils `valid` once to four times. */
export function mutate(random: Random, valid: Outgoing, ids: Ids): Mutated {
  const names = valid.body === null ? NAMES : NAMES_WITH_BODY;
  const steps = Array.from({ length: random() < 0.6 ? 1 : 2 + integerUpTo(random, 3) }, () =>
    pick(random, names),
  );
  let request = valid;
  for (const step of steps) request = MUTATIONS[step]!(random, request, ids);
  return { request, steps };
}
