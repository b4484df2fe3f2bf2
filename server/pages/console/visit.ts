/** What a page is given, and what it answers. */
import type { Mode } from "../../../storage/stored-values.ts";
import type { Appliance } from "../../../src/appliance.ts";
import type { Cause } from "../../../src/journal/context.ts";
import type { Attempts } from "./guard.ts";
import type { Language } from "../language.ts";
import type { Say } from "./language.ts";
import type { Content } from "../markup.ts";
import type { Word } from "./words.ts";

/** Somebody who may not be signed in. */
export interface Visitor {
  appliance: Appliance;
  language: Language;
  say: Say;
  /** The path's parameters, as they stand; a malformed id reads as not found further in. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** What was posted; empty for a GET. */
  form: ReadonlyMap<string, string>;
  /** Path and query, for coming back. */
  here: string;
  /** A form is answered, not a page that can be opened. */
  isPosted: boolean;
  /** What every form carries. */
  csrf: string;
  /** What forms carried that were shown to this browser while nobody was signed in; undefined where none can have been. */
  openCsrf: string | undefined;
  /** Undefined where nobody is signed in. */
  mode: Mode | undefined;
  /** The cookie of somebody who is signed in. */
  session: string | undefined;
  /** The appliance is held: it reads, and sends nothing. */
  isHeld: boolean;
  /** How often this address has failed to sign in. */
  attempts: Attempts;
}

/** Somebody who is signed in. */
export interface Visit extends Visitor {
  mode: Mode;
}

/** What a redirect tells on the page that it leads to. */
export interface Flash {
  word: Word;
  count?: number | undefined;
}

export type Reply =
  | {
      kind: "page";
      /** 200 where it is left out. */
      status?: number;
      title: string;
      content: Content;
      /** Seconds for a `retry-after` header. */
      retryAfterSeconds?: number;
    }
  /** After something was done: 303, so that a reload repeats nothing. */
  | { kind: "redirect"; to: string; flash?: Flash; session?: SessionChange; language?: Language }
  | { kind: "file"; type: string; name: string; body: Uint8Array<ArrayBuffer> };

/** Signed in with this cookie, or signed out. */
export type SessionChange = { kind: "opened"; token: string } | { kind: "ended" };

export type Page = Extract<Reply, { kind: "page" }>;

interface Common {
  method: "GET" | "POST";
  /** Below /console, with parameters as `:id`. */
  path: string;
}

/** A page, or what a form does. `isOpen`: also for whoever is not signed in. */
export type Route = Common &
  (
    | { isOpen: true; handle(visitor: Visitor): Promise<Reply> }
    | { isOpen?: false; handle(visit: Visit): Promise<Reply> }
  );

export function get(path: string, handle: (visit: Visit) => Promise<Reply>): Route {
  return { method: "GET", path, handle };
}

export function post(path: string, handle: (visit: Visit) => Promise<Reply>): Route {
  return { method: "POST", path, handle };
}

/** Console actions are no API call: their events name none, as those of the command line. */
export function causeOf(visit: Visit): Cause {
  return { mode: visit.mode, requestId: null, idempotencyKey: null };
}

/** Where a form leads back to: a page of the console, or `otherwise`. */
export function returnPath(visitor: Visitor, otherwise: string): string {
  const asked = visitor.form.get("next") ?? "";
  return /^\/console(?:[/?][\x21-\x7e]*)?$/.test(asked) ? asked : otherwise;
}
