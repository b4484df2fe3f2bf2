/** The input and output of console pages. */
import type { Mode } from "../../../src/domain/vocabulary.ts";
import type { Appliance } from "../../../src/appliance.ts";
import type { Cause } from "../../../src/journal/context.ts";
import type { MerchantObject } from "../../../src/merchants/merchant-object.ts";
import type { Windows } from "../../limits.ts";
import type { UploadedFile } from "../form.ts";
import type { Language } from "../language.ts";
import type { FlashCode } from "./messages.ts";
import type { Content } from "../markup.ts";

/** A visitor who may not be signed in. */
export interface Visitor {
  appliance: Appliance;
  language: Language;
  /** The path parameters, unchecked; a malformed id is reported as not found. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** The submitted form; empty for a GET. */
  form: ReadonlyMap<string, string>;
  /** The file of the form; undefined without one. */
  file?: UploadedFile | undefined;
  /** Path and query, to return to. */
  here: string;
  isPosted: boolean;
  /** The CSRF token of every form. */
  csrf: string;
  /** The CSRF token of forms shown before sign-in; undefined if there were none. */
  openCsrf: string | undefined;
  mode: Mode | undefined;
  /** The session shows everything and changes nothing. */
  isReadOnly: boolean;
  /** The session cookie, if signed in. */
  session: string | undefined;
  /** The browser has the cookie of a session that is over. */
  hadSession: boolean;
  /** The merchant that this browser works for: the chosen one, or the only one. Lists and forms are about it. */
  merchant: MerchantObject | undefined;
  /** The newest active merchants, to choose from; empty if not signed in. */
  merchants: readonly MerchantObject[];
  /** The appliance is held: it can be read but sends nothing. */
  isHeld: boolean;
  windows: Windows;
  address: string;
}

export interface Visit extends Visitor {
  mode: Mode;
}

/** The message shown on the page that a redirect leads to. */
export interface Flash {
  code: FlashCode;
  count?: number | undefined;
  /** It is shown only there. */
  secret?: string | undefined;
}

export type Reply =
  | {
      kind: "page";
      /** Default 200. */
      status?: number | undefined;
      title: Content;
      content: Content;
      /** Seconds for a `retry-after` header. */
      retryAfterSeconds?: number | undefined;
    }
  /** 303 after an action, so that a reload does not repeat it. */
  | {
      kind: "redirect";
      to: string;
      flash?: Flash;
      /** The token of the session that was opened; empty for one that ended. */
      session?: string;
      language?: Language;
      /** The id of the merchant that the browser works for from now on; empty for all. */
      merchant?: string;
    }
  | { kind: "file"; type: string; name: string; body: FileBody };

export type FileBody = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

export type Page = Extract<Reply, { kind: "page" }>;
export type Redirect = Extract<Reply, { kind: "redirect" }>;

interface Common {
  method: "GET" | "POST";
  takesFile?: boolean;
  /** Below /console, with parameters as `:id`. */
  path: string;
  /** A page that only offers a form; a read-only session is refused. */
  isForm?: boolean;
  /** A POST that changes nothing, sent by a script; it is not logged as an action. */
  isQuery?: boolean;
  /** The secret in its path is all that the request needs: it has no CSRF token, and its body is not read. */
  isSecretLink?: boolean;
  /** For a form that is kept if its session has ended: the path that shows it again, with the parameters of this one. */
  resumeAt?: string | undefined;
}

/** A page or a form action. `isOpen` allows visitors who are not signed in. */
export type Route = Common &
  (
    | { isOpen: true; handle(visitor: Visitor): Promise<Reply> }
    | { isOpen?: false; handle(visit: Visit): Promise<Reply> }
  );

export function get(path: string, handle: (visit: Visit) => Promise<Reply>): Route {
  return { method: "GET", path, handle };
}

export function getForm(path: string, handle: (visit: Visit) => Promise<Reply>): Route {
  return { ...get(path, handle), isForm: true };
}

export function post(path: string, handle: (visit: Visit) => Promise<Reply>, resumeAt?: string): Route {
  return { method: "POST", path, handle, resumeAt };
}

/** Console actions are not API requests, so their events name none, like those of the command line. */
export function causeOf(visit: Visit): Cause {
  return { mode: visit.mode, requestId: null, idempotencyKey: null };
}

/** The address of a path below /console, whose parameters are those of the page. */
export function pathTo({ params }: Pick<Visitor, "params">, path: string): string {
  return `/console${path.replaceAll(/:(\w+)/g, (_whole, name: string) => params[name] ?? "")}`;
}

/** The console page that a form returns to, or `otherwise`. */
export function returnPath(visitor: Visitor, otherwise: string): string {
  const asked = visitor.form.get("next") ?? "";
  return /^\/console(?:[/?][\x21-\x7e]*)?$/.test(asked) ? asked : otherwise;
}
