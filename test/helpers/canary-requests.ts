/** Sends everything that contains secrets to a server, rightly and wrongly, and records every response. */
import { buildIssueBody } from "./appliance.ts";
import type { Source } from "./canary.ts";
import type { Mood, PlayedNetwork } from "./played-network.ts";

export interface Credentials {
  provider: "registry_direct" | "provider_a";
  credentials: Record<string, string>;
}

interface Sent {
  /** The name of the response, by default the request. */
  as?: string;
  /** Default: the traveller's. */
  key?: string | null;
  headers?: Record<string, string>;
  /** A text as it is, anything else as JSON. */
  body?: unknown;
}

export interface Answered {
  status: number;
  data: Record<string, unknown> & { id: string };
  list: { id: string }[];
  text: string;
}

export interface Traveller {
  network: PlayedNetwork;
  /** Every response: status, headers and body. */
  answers: Source[];
  /** Sends a request such as `GET /api/v1/events`. */
  ask(request: string, sent?: Sent): Promise<Answered>;
  /** Called for each new connect session; from then on its token is a secret. */
  learnToken(token: string): void;
  /** Called for each new endpoint and each rotated secret. */
  learnWebhookSecret(secret: string): void;
}

/** Responses with this name are pages for people, which may repeat submitted values that are not secret. */
export const PAGE = "page";
/** The only response that contains a link. */
export const NEW_LINK = "a new link";
export const NEW_SECRET = "a new secret of an endpoint";

const FORM = { "content-type": "application/x-www-form-urlencoded" };

let count = 0;
const unique = () => `canary-${(count += 1)}`;

/** `url` is the server's current one. */
export function createTraveller(
  options: Omit<Traveller, "ask" | "answers"> & { key: string; url(): string },
): Traveller {
  const answers: Source[] = [];
  async function ask(request: string, { as = request, key = options.key, headers, body }: Sent = {}) {
    const [method = "", path = ""] = request.split(/ (.*)/s);
    const response = await fetch(`${options.url()}${path}`, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        "idempotency-key": unique(),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      redirect: "manual",
    });
    const text = await response.text();
    const head = [...response.headers].map(([header, value]) => `${header}: ${value}`).join("\n");
    answers.push({ name: as, bytes: Buffer.from(`${response.status}\n${head}\n\n${text}`) });
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    const { data } = isJson ? (JSON.parse(text) as { data?: unknown }) : {};
    const list = Array.isArray(data) ? (data as Answered["list"]) : [];
    return { status: response.status, data: data as Answered["data"], list, text };
  }
  return { ...options, answers, ask };
}

async function makeMerchant({ ask }: Traveller): Promise<string> {
  const body = { external_id: unique(), name: "Παράδειγμα", tax_id: "123456783" };
  return (await ask("POST /api/v1/merchants", { body })).data.id;
}

const connectionsOf = (merchant: string) => `/api/v1/merchants/${merchant}/connections`;

/** A receipt dated today, because the licensed provider accepts no other date, and receipts need no customer lookup. */
function receiptOfToday(merchant: string): unknown {
  const issueDate = new Date().toLocaleDateString("sv-SE", { timeZone: "Europe/Athens" });
  const { document, ...around } = buildIssueBody(merchant);
  const receipt = { ...(document as object), type: "11.1", customer: undefined, issue_date: issueDate };
  return { ...around, document: receipt };
}

const WAIT_MS_MAX = 5000;

/** Waits until the document is sent, which happens in the background with the connection's secrets. */
async function waitForCall({ ask }: Traveller, document: string): Promise<void> {
  const deadline = Date.now() + WAIT_MS_MAX;
  while ((await ask(`GET /api/v1/provider_calls?document=${document}`)).list.length === 0) {
    if (Date.now() > deadline) throw new Error(`${document} was not sent within ${WAIT_MS_MAX} ms`);
    await new Promise((turn) => setTimeout(turn, 10));
  }
}

/**
 * Connects while the provider is in each mood, then verifies, issues and disconnects. Returns the statuses of the
 * creations.
 */
export async function connectRightly(traveller: Traveller, given: Credentials): Promise<number[]> {
  const { ask, network } = traveller;
  const statuses: number[] = [];
  for (const mood of ["broken", "refusing", "accepting"] satisfies Mood[]) {
    network.mood = mood;
    const merchant = await makeMerchant(traveller);
    const connect = () => ask(`POST ${connectionsOf(merchant)}`, { body: given });
    const { status, data } = await connect();
    statuses.push(status);
    if (status !== 201) continue;
    for (const next of ["accepting", "refusing", "broken", "accepting"] satisfies Mood[]) {
      network.mood = next;
      await ask(`POST /api/v1/connections/${data.id}/verify`);
    }
    await connect();
    const made = await ask("POST /api/v1/documents", { body: receiptOfToday(merchant) });
    await waitForCall(traveller, made.data.id);
    await ask(`POST /api/v1/connections/${data.id}/disconnect`);
  }
  return statuses;
}

/**
 * Creates an endpoint at a closed port, so that its deliveries fail. It is created twice under one key, and its
 * secret rotated.
 */
export async function makeEndpoint({ ask, learnWebhookSecret }: Traveller): Promise<void> {
  const body = { url: "http://127.0.0.1:1/hooks", enabled_events: ["*"] };
  const make = () =>
    ask("POST /api/v1/webhook_endpoints", {
      as: NEW_SECRET,
      body,
      headers: { "idempotency-key": "endpoint" },
    });
  const { data } = await make();
  learnWebhookSecret(String(data["secret"]));
  await make();
  const path = `/api/v1/webhook_endpoints/${data.id}`;
  const rotated = await ask(`POST ${path}/rotate_secret`, { as: NEW_SECRET, body: {} });
  learnWebhookSecret(String(rotated.data["secret"]));
  for (const read of ["/api/v1/webhook_endpoints", path, `${path}/deliveries`]) await ask(`GET ${read}`);
}

/** Creates a link, opens it, submits the credentials in every mood, and uses it up. Returns the statuses of its pages. */
export async function connectByLink(traveller: Traveller, given: Credentials): Promise<number[]> {
  const { ask, network } = traveller;
  const sessions = `POST /api/v1/merchants/${await makeMerchant(traveller)}/connect_sessions`;
  const again = { as: NEW_LINK, body: {}, headers: { "idempotency-key": unique() } };
  const made = await ask(sessions, again);
  const { pathname } = new URL(String(made.data["url"]));
  traveller.learnToken(pathname.split("/").at(-1)!);
  await ask(sessions, again);
  const readSession = () => ask(`GET /api/v1/connect_sessions/${made.data.id}`);
  await readSession();
  await ask(`GET /api/v1${pathname}`);

  const fields: Record<string, string> = { provider: given.provider, ...given.credentials };
  const [[first, secret] = ["", ""]] = Object.entries(given.credentials);
  const page = async (request: string, sent: Sent = {}) =>
    (await ask(request, { as: `${PAGE} ${request}`, key: null, ...sent })).status;
  const open = () => page(`GET ${pathname}`);
  function enter(mood: Mood, entered: Record<string, string>): Promise<number> {
    network.mood = mood;
    return page(`POST ${pathname}`, { headers: FORM, body: new URLSearchParams(entered).toString() });
  }
  const statuses = [
    await open(),
    await enter("broken", fields),
    await enter("refusing", fields),
    await enter("refusing", { ...fields, [first]: secret.repeat(80) }),
  ];
  await enter("refusing", { ...fields, password: secret });
  await page(`POST ${pathname}`, { body: fields });
  await page(`GET ${pathname}?${new URLSearchParams(given.credentials)}`);
  statuses.push(await enter("accepting", fields), await open());
  await readSession();
  return statuses;
}

/** Reads every page of every list, and every item with its sub-resources. Returns the ids. */
export async function readEverything({ ask }: Traveller): Promise<string[]> {
  const seen: string[] = [];
  async function walk(path: string, each = (id: string): Promise<unknown> => ask(`GET ${path}/${id}`)) {
    for (let cursor = ""; ; ) {
      const { list, text } = await ask(`GET ${path}?limit=100${cursor}`);
      for (const { id } of list) await each(id);
      seen.push(...list.map(({ id }) => id));
      if (!text.includes('"has_more":true')) return;
      cursor = `&starting_after=${list.at(-1)!.id}`;
    }
  }
  for (const list of ["provider_calls", "events", "documents"]) await walk(`/api/v1/${list}`);
  await walk("/api/v1/merchants", (merchant) =>
    walk(connectionsOf(merchant), (id) => ask(`GET /api/v1/connections/${id}`)),
  );
  // Last, because these reads are logged too; entries logged during the walk come before the first page.
  await walk("/api/v1/requests");
  return seen;
}

/** Bodies with the secrets of `given` in the wrong places or in the wrong form. */
function wrongBodies({ provider, credentials }: Credentials): string[] {
  const [[name, secret] = ["", ""]] = Object.entries(credentials);
  const all = Object.values(credentials);
  const good = JSON.stringify({ provider, credentials });
  const wrongValues = [[secret], { value: secret }, secret.repeat(80), `${secret}\u0000`, ` ${secret}\n`];
  const wrongCredentials = [
    ...wrongValues.map((value) => ({ ...credentials, [name]: value })),
    { [name]: secret },
    { ...credentials, password: secret, note: secret, "api key": secret },
    { ...credentials, [secret]: "" },
    all,
    all.join(":"),
  ];
  const typed: unknown[] = [
    ...wrongCredentials.map((wrong) => ({ provider, credentials: wrong })),
    ...[secret, [secret], "sandbox", "provider_b"].map((wrong) => ({ provider: wrong, credentials })),
    { provider, credentials, [secret]: secret },
    { provider, credentials, ...credentials },
    credentials,
    all,
    secret,
  ];
  const broken = [
    good.slice(0, -2),
    `${good}}`,
    `\ufeff\ufeff${good}`,
    `{"a":${good},}`,
    all.join("\n"),
    `${good}\u0000`,
    good.replaceAll('"', "'"),
  ];
  return [...typed.map((body) => JSON.stringify(body)), ...broken];
}

const isHeaderValue = (text: string) => /^[\x21-\x7e][\x20-\x7e]*$/.test(text) && text.trim() === text;
const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

/** Makes every kind of mistake with the secrets of `given`; nothing is stored. */
export async function connectWrongly(traveller: Traveller, given: Credentials): Promise<void> {
  const { ask, network } = traveller;
  network.mood = "accepting";
  const path = connectionsOf(await makeMerchant(traveller));
  for (const body of wrongBodies(given)) {
    await ask(`POST ${path}`, { body });
    await ask(`POST ${path}`, { body, headers: { "content-type": "text/plain" } });
  }
  const secrets = Object.values(given.credentials);
  const query = new URLSearchParams(given.credentials).toString();
  const ofAnother = new URLSearchParams({ api_key: secrets[0]!, subscription_key: secrets.at(-1)! });
  await ask(`POST ${path}?${query}`, { body: given });
  await ask(`POST ${path}?${query}`, { body: {} });
  await ask(`POST ${path}?%zz=${query}`, { body: given });
  await ask(`POST ${path}`, { body: query, headers: FORM });
  await ask(`GET /api/v1/merchants?${ofAnother}`);
  await ask(`POST ${connectionsOf("mer_0000000000000000000000")}`, { body: given });
  await ask(`POST ${path}`, { body: given, key: null });
  await ask(`POST ${path}`, { body: given, headers: { authorization: basic(secrets.join(":")) } });
  for (const secret of secrets.filter(isHeaderValue)) {
    const sensitive = [
      "aade-user-id",
      "ocp-apim-subscription-key",
      "x-api-key",
      "cookie",
      "proxy-authorization",
    ];
    for (const header of [...sensitive, "x-anything"])
      await ask(`POST ${path}`, { body: {}, headers: { [header]: secret } });
    for (const header of sensitive) await ask("GET /api/v1/merchants", { headers: { [header]: secret } });
  }
}

/** Puts an API key or another secret made by this server where it does not belong. */
export async function misplace({ ask }: Traveller, secret: string): Promise<void> {
  const paths = [
    `/api/v1/merchants?key=${secret}`,
    `/api/v1/events?${secret}`,
    `/api/v1/documents?starting_after=${secret}`,
    `/api/v1/${secret}`,
    `/api/v1/merchants/${secret}`,
    `/api/v1/documents/${secret}/pdf`,
    `/${secret}`,
    `/connect/${secret}`,
  ];
  for (const path of paths) await ask(`GET ${path}`);
  for (const path of ["/api/v1/merchants", "/api/v1/documents", "/api/v1/documents/preview"]) {
    const body = { api_key: secret, merchant: secret, external_id: [secret] };
    for (const wrong of [body, `{"merchant":"${secret}`, secret]) await ask(`POST ${path}`, { body: wrong });
  }
  const headers: Record<string, string>[] = [
    { "x-request-id": secret.repeat(4) },
    { cookie: `key=${secret}`, "x-api-key": secret },
    { referer: `https://example.com/?key=${secret}` },
    ...[secret, basic(`${secret}:`), `Bearer ${secret}x`, `Token ${secret}`].map((authorization) => ({
      authorization,
    })),
  ];
  for (const wrong of headers) await ask("GET /api/v1/merchants", { headers: wrong });
}
