/** Mutates requests as faulty callers, proxies and attackers do. A seed determines the mutations, so each can be repeated. */
import { integerUpTo, pick, type Random, spoilBytes, spoilTree } from "./body-mutations.ts";
import {
  BROKEN_SEGMENTS,
  CONTENT_TYPES,
  MARKER,
  ODD_HEADERS,
  PARAMETER_NAMES,
  PARAMETER_VALUES,
} from "./hostile-values.ts";

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
