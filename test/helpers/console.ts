/** Visits the console like a browser without scripts: keeps cookies, and posts forms with their fields. */
import { expect } from "vitest";
import { createApp } from "../../server/app.ts";
import { createConsoleLink, type LinkOptions } from "../../src/console/sign-in.ts";
import type { Appliance } from "../../src/appliance.ts";
import type { Mode } from "../../storage/stored-values.ts";

export interface Shown {
  status: number;
  headers: Headers;
  html: string;
}

interface PostOptions {
  /** The page with the form. Default: `/console`. */
  from?: string;
  headers?: Record<string, string>;
  /** Replaces the page's token; null sends none. */
  csrf?: string | null;
}

/** The paths of the overview and of every list, below `/console`. */
export const OVERVIEW_AND_LISTS = [
  "",
  "/documents",
  "/merchants",
  "/connections",
  "/webhooks",
  "/events",
  "/requests",
  "/calls",
];

export function csrfOf(html: string): string {
  return /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? "";
}

/** What a browser would send with the form of the page: the fields below its title. */
export function fieldsOf({ html }: Shown): Record<string, string> {
  const form = html.slice(html.indexOf("<main"));
  const inputs = [
    ...form.matchAll(
      /<input (?![^>]*type="checkbox"(?![^>]* checked))[^>]*?name="([^"]+)"[^>]*?value="([^"]*)"/g,
    ),
    ...form.matchAll(/<textarea [^>]*?name="([^"]+)"[^>]*>([^<]*)/g),
  ];
  const menus = [...form.matchAll(/<select [^>]*?name="([^"]+)"[^>]*>(.*?)<\/select>/gs)].map(
    ([, name, options = ""]) => {
      const [, first = ""] = /<option value="([^"]*)"/.exec(options) ?? [];
      const [, chosen = first] = /<option value="([^"]*)" selected/.exec(options) ?? [];
      return [name!, chosen];
    },
  );
  const all = [...inputs.map(([, name, value]) => [name!, value!]), ...menus];
  return Object.fromEntries(all.map(([name, value]) => [name, unescaped(value!)]));
}

/** Expects the page to have this status and to contain each of these texts. */
export function expectPage(
  { status, html }: Pick<Shown, "status" | "html">,
  expected: number,
  ...texts: (string | RegExp)[]
): void {
  expect(status, html).toBe(expected);
  expect(html).toContainAll(...texts);
}

/** What a person reads on the page below its title. */
export function textOf({ html }: Pick<Shown, "html">): string {
  return unescaped(html.slice(html.indexOf("<main")).replace(/<style[\s\S]*?<\/style>|<[^>]*>/g, " "))
    .replaceAll("&nbsp;", " ")
    .replace(/\s+/g, " ");
}

function unescaped(text: string): string {
  return text.replace(/&#([0-9]+);/g, (_entity, code) => String.fromCharCode(Number(code)));
}

function keepCookies(cookies: Map<string, string>, headers: Headers): void {
  for (const cookie of headers.getSetCookie()) {
    const [pair = ""] = cookie.split(";", 1);
    const at = pair.indexOf("=");
    if (cookie.includes("Max-Age=0;")) cookies.delete(pair.slice(0, at));
    else cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }
}

/** A visitor who has signed in. */
export async function signedIn(
  { appliance }: { appliance: Appliance },
  mode: Mode = "test",
  options: LinkOptions = {},
): Promise<Visitor> {
  const visitor = openVisitor(appliance);
  await visitor.signIn(mode, options);
  return visitor;
}

/** A visitor with an English browser. `cookies` are those the browser already has; `app` may be another process. */
export function openVisitor(
  appliance: Appliance,
  cookies = new Map<string, string>(),
  app: { request(path: string, init: RequestInit): Response | Promise<Response> } = createApp(appliance).app,
) {
  async function send(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers({ "accept-language": "en", "sec-fetch-site": "same-origin" });
    for (const [name, value] of new Headers(init.headers)) {
      // An empty value removes the header.
      if (value === "") headers.delete(name);
      else headers.set(name, value);
    }
    if (!headers.has("cookie") && cookies.size > 0)
      headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    const response = await app.request(path, { ...init, headers });
    keepCookies(cookies, response.headers);
    return response;
  }

  async function request(path: string, init: RequestInit): Promise<Shown> {
    const response = await send(path, init);
    return { status: response.status, headers: response.headers, html: await response.text() };
  }

  /** Follows a redirect that only adds to the query. */
  async function get(path: string, headers: Record<string, string> = {}): Promise<Shown> {
    const shown = await request(path, { headers });
    const to = shown.headers.get("location") ?? "";
    return to.startsWith(`${path.split("?", 1)[0]}?`) ? request(to, { headers }) : shown;
  }

  /** Posts `fields` with the token of the page `from` (default: its own path), without following redirects. */
  async function post(
    path: string,
    fields: Record<string, string> = {},
    { from = "/console", headers = {}, csrf }: PostOptions = {},
  ): Promise<Shown> {
    const token = csrf === undefined ? csrfOf((await get(from)).html) : csrf;
    const body = new URLSearchParams({ ...(token === null ? {} : { csrf: token }), ...fields });
    return request(path, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      body: body.toString(),
    });
  }

  /** Follows the redirect of a response. */
  const follow = (shown: Shown) => get(shown.headers.get("location") ?? "");

  return {
    cookies,
    get,
    post,
    follow,
    /** Submits the form of `page` to `path` with some fields changed. */
    submit: (path: string, page: Shown, changes: Record<string, string> = {}) =>
      post(path, { ...fieldsOf(page), ...changes }, { csrf: csrfOf(page.html) }),
    /** Posts `fields` and a file as a browser sends them, with the token of the page `path`. */
    async upload(
      path: string,
      fields: Record<string, string>,
      file?: { name: string; bytes: Buffer | string },
    ) {
      const body = new FormData();
      const token = csrfOf((await get(path)).html);
      for (const [name, value] of Object.entries({ csrf: token, ...fields })) body.set(name, value);
      const bytes = typeof file?.bytes === "string" ? file.bytes : new Uint8Array(file?.bytes ?? []);
      body.set("file", new File(file === undefined ? [] : [bytes], file?.name ?? ""));
      // Bytes, because a FormData that the server reads only in part fails later.
      const form = new Response(body);
      const headers = { "content-type": form.headers.get("content-type")! };
      return request(path, { method: "POST", headers, body: await form.arrayBuffer() });
    },
    /** The bytes of a file. */
    async download(path: string) {
      const response = await send(path, {});
      return { headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) };
    },
    async signIn(mode: Mode, options?: LinkOptions) {
      const { url } = await createConsoleLink(appliance, mode, options);
      const { pathname } = new URL(url);
      return follow(await post(pathname, {}, { from: pathname }));
    },
  };
}

export type Visitor = ReturnType<typeof openVisitor>;
