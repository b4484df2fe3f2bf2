/** A server is led through everything that is done with secrets, rightly and wrongly. Every answer is kept. */
import { buildIssueBody } from "./appliance.ts";
import type { Source } from "./canary.ts";
import type { Mood, PlayedNetwork } from "./played-network.ts";

export interface Traveller {
  network: PlayedNetwork;
  key: string;
  /** Everything that was answered: status, headers and body. */
  answers: Source[];
  /** Where the server is now. */
  url(): string;
  /** A new connect session was made: its token is a secret from now on. */
  learnToken(token: string): void;
}

export interface Credentials {
  provider: "registry_direct" | "provider_a";
  credentials: Record<string, string>;
}

interface Sent {
  key?: string | null;
  headers?: Record<string, string>;
  body?: string;
}

export type Answered = {
  status: number;
  data: Record<string, unknown> & { id: string };
  list: { id: string }[];
  text: string;
};

let count = 0;

/** Asks, and keeps what is answered under `name`. */
export async function ask(
  traveller: Traveller,
  name: string,
  method: string,
  path: string,
  sent: Sent = {},
): Promise<Answered> {
  count += 1;
  const key = sent.key === undefined ? traveller.key : sent.key;
  const response = await fetch(`${traveller.url()}${path}`, {
    method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(sent.body === undefined ? {} : { "content-type": "application/json" }),
      "idempotency-key": `canary-${count}`,
      ...sent.headers,
    },
    ...(sent.body === undefined ? {} : { body: sent.body }),
    redirect: "manual",
  });
  const text = await response.text();
  const head = [...response.headers].map(([header, value]) => `${header}: ${value}`).join("\n");
  traveller.answers.push({ name, bytes: Buffer.from(`${response.status}\n${head}\n\n${text}`) });
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  const parsed = isJson ? (JSON.parse(text) as { data?: unknown }) : {};
  const { data } = parsed;
  return {
    status: response.status,
    data: data as Answered["data"],
    list: Array.isArray(data) ? (data as { id: string }[]) : [],
    text,
  };
}

async function makeMerchant(traveller: Traveller): Promise<string> {
  const body = JSON.stringify({
    external_id: `canary-${(count += 1)}`,
    name: "Παράδειγμα",
    tax_id: "123456783",
  });
  return (await ask(traveller, "a merchant", "POST", "/api/v1/merchants", { body })).data.id;
}

const connectionsOf = (merchant: string) => `/api/v1/merchants/${merchant}/connections`;

/** Connects while the provider is in every mood, verifies, issues over it, disconnects. The statuses of the creations. */
export async function connectRightly(traveller: Traveller, given: Credentials): Promise<number[]> {
  const statuses: number[] = [];
  for (const mood of ["broken", "refusing", "accepting"] satisfies Mood[]) {
    traveller.network.mood = mood;
    const merchant = await makeMerchant(traveller);
    const body = JSON.stringify(given);
    const { status, data } = await ask(traveller, `a connection, ${mood}`, "POST", connectionsOf(merchant), {
      body,
    });
    statuses.push(status);
    if (status !== 201) continue;
    for (const next of ["accepting", "refusing", "broken", "accepting"] satisfies Mood[]) {
      traveller.network.mood = next;
      await ask(traveller, `a verification, ${next}`, "POST", `/api/v1/connections/${data.id}/verify`);
    }
    await ask(traveller, "the connection twice", "POST", connectionsOf(merchant), { body });
    await ask(traveller, "a document", "POST", "/api/v1/documents", {
      body: JSON.stringify(buildIssueBody(merchant)),
    });
    await ask(traveller, "a disconnection", "POST", `/api/v1/connections/${data.id}/disconnect`);
  }
  return statuses;
}

/** Bodies in which the secrets of `given` stand where they do not belong, or as what they cannot be. */
function wrongBodies({ provider, credentials }: Credentials): string[] {
  const [[name, secret = ""] = [""]] = Object.entries(credentials);
  const all = Object.values(credentials);
  const good = JSON.stringify({ provider, credentials });
  const typing: unknown[] = [
    { provider, credentials: { ...credentials, [name]: [secret] } },
    { provider, credentials: { ...credentials, [name]: { value: secret } } },
    { provider, credentials: { ...credentials, [name]: secret.repeat(80) } },
    { provider, credentials: { ...credentials, [name]: `${secret}\u0000` } },
    { provider, credentials: { ...credentials, [name]: ` ${secret}\n` } },
    { provider, credentials: { [name]: secret } },
    { provider, credentials: { ...credentials, password: secret, note: secret, "api key": secret } },
    { provider, credentials: { ...credentials, [secret]: "" } },
    { provider, credentials, [secret]: secret },
    { provider, credentials: all },
    { provider, credentials: all.join(":") },
    { provider: secret, credentials },
    { provider: [secret], credentials },
    { provider: "sandbox", credentials },
    { provider: "provider_b", credentials },
    { provider, credentials, ...credentials },
    { ...credentials },
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
  return [...typing.map((body) => JSON.stringify(body)), ...broken];
}

/** Every kind of mistake with the secrets of `given`; nothing is stored. */
export async function connectWrongly(traveller: Traveller, given: Credentials): Promise<void> {
  traveller.network.mood = "accepting";
  const merchant = await makeMerchant(traveller);
  const path = connectionsOf(merchant);
  for (const body of wrongBodies(given)) {
    await ask(traveller, "a wrong connection", "POST", path, { body });
    await ask(traveller, "a wrong connection without a type", "POST", path, {
      body,
      headers: { "content-type": "text/plain" },
    });
  }
  const secrets = Object.values(given.credentials);
  const query = new URLSearchParams(given.credentials).toString();
  const body = JSON.stringify(given);
  await ask(traveller, "credentials in the query", "POST", `${path}?${query}`, { body });
  await ask(traveller, "credentials in the query alone", "POST", `${path}?${query}`, { body: "{}" });
  await ask(traveller, "credentials behind an escape", "POST", `${path}?%zz=${query}`, { body });
  await ask(traveller, "credentials as a form", "POST", path, {
    body: query,
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  await ask(
    traveller,
    "a secret in another query",
    "GET",
    `/api/v1/merchants?${new URLSearchParams({ api_key: secrets[0]!, subscription_key: secrets.at(-1)! })}`,
  );
  await ask(
    traveller,
    "credentials for a merchant that is not there",
    "POST",
    connectionsOf("mer_0000000000000000000000"),
    { body },
  );
  await ask(traveller, "credentials without a key", "POST", path, { body, key: null });
  for (const secret of secrets.filter(
    (text) => /^[\x21-\x7e][\x20-\x7e]*$/.test(text) && text.trim() === text,
  )) {
    for (const header of [
      "aade-user-id",
      "ocp-apim-subscription-key",
      "x-api-key",
      "cookie",
      "proxy-authorization",
    ]) {
      await ask(traveller, `a secret in ${header}`, "POST", path, {
        body: "{}",
        headers: { [header]: secret },
      });
      await ask(traveller, `a secret in ${header} of another`, "GET", "/api/v1/merchants", {
        headers: { [header]: secret },
      });
    }
    await ask(traveller, "a secret in any header", "POST", path, {
      body: "{}",
      headers: { "x-anything": secret },
    });
  }
  const basic = `Basic ${Buffer.from(secrets.join(":")).toString("base64")}`;
  await ask(traveller, "credentials as basic authentication", "POST", path, {
    body,
    headers: { authorization: basic },
  });
}

/** A page of `pages` is one that people see: what is no secret may be written back into it. */
export const PAGE = "page";
/** The only answer that tells a link. */
export const NEW_LINK = "a new link";

/** A link is made, opened, tried with the credentials in every mood, and used up. */
export async function connectByLink(traveller: Traveller, given: Credentials): Promise<number[]> {
  const merchant = await makeMerchant(traveller);
  const again = { body: "{}", headers: { "idempotency-key": `link-${(count += 1)}` } };
  const sessions = `/api/v1/merchants/${merchant}/connect_sessions`;
  const made = await ask(traveller, NEW_LINK, "POST", sessions, again);
  const { pathname } = new URL(String(made.data["url"]));
  traveller.learnToken(pathname.split("/").at(-1)!);
  await ask(traveller, NEW_LINK, "POST", sessions, again);
  await ask(traveller, "a session", "GET", `/api/v1/connect_sessions/${made.data.id}`);
  await ask(traveller, "a link as a path", "GET", `/api/v1${pathname}`);
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const fields = { provider: given.provider, ...given.credentials };
  const enter = (name: string, entered: Record<string, string>) =>
    ask(traveller, `${PAGE} ${name}`, "POST", pathname, {
      key: null,
      headers: form,
      body: new URLSearchParams(entered).toString(),
    });
  const [first = ""] = Object.keys(given.credentials);
  const statuses: number[] = [];
  const open = () => ask(traveller, `${PAGE} opened`, "GET", pathname, { key: null });
  statuses.push((await open()).status);
  traveller.network.mood = "broken";
  statuses.push((await enter("while the provider is broken", fields)).status);
  traveller.network.mood = "refusing";
  statuses.push((await enter("while the provider refuses", fields)).status);
  statuses.push(
    (await enter("with a field too long", { ...fields, [first]: given.credentials[first]!.repeat(80) }))
      .status,
  );
  await enter("with unknown fields", { ...fields, password: given.credentials[first]! });
  await ask(traveller, `${PAGE} as JSON`, "POST", pathname, { key: null, body: JSON.stringify(fields) });
  await ask(
    traveller,
    `${PAGE} with a query`,
    "GET",
    `${pathname}?${new URLSearchParams(given.credentials)}`,
    { key: null },
  );
  traveller.network.mood = "accepting";
  statuses.push((await enter("while the provider accepts", fields)).status);
  statuses.push((await open()).status);
  await ask(traveller, "the session used", "GET", `/api/v1/connect_sessions/${made.data.id}`);
  return statuses;
}

/** An API key or another secret of this server's own making, where it does not belong. */
export async function misplace(traveller: Traveller, secret: string): Promise<void> {
  const json = (value: unknown) => JSON.stringify(value);
  await ask(traveller, "a secret in the query", "GET", `/api/v1/merchants?key=${secret}`);
  await ask(traveller, "a secret as a parameter", "GET", `/api/v1/events?${secret}`);
  await ask(traveller, "a secret as a cursor", "GET", `/api/v1/documents?starting_after=${secret}`);
  for (const path of [
    `/api/v1/${secret}`,
    `/api/v1/merchants/${secret}`,
    `/api/v1/documents/${secret}/pdf`,
    `/${secret}`,
    `/connect/${secret}`,
  ])
    await ask(traveller, "a secret in the path", "GET", path);
  for (const path of ["/api/v1/merchants", "/api/v1/documents", "/api/v1/documents/preview"]) {
    await ask(traveller, "a secret in a body", "POST", path, {
      body: json({ api_key: secret, merchant: secret, external_id: [secret] }),
    });
    await ask(traveller, "a secret in a broken body", "POST", path, { body: `{"merchant":"${secret}` });
    await ask(traveller, "a secret for a body", "POST", path, { body: secret });
  }
  await ask(traveller, "a secret as a request id", "GET", "/api/v1/merchants", {
    headers: { "x-request-id": secret.repeat(4) },
  });
  await ask(traveller, "a secret as a cookie", "GET", "/api/v1/merchants", {
    headers: { cookie: `key=${secret}`, "x-api-key": secret },
  });
  await ask(traveller, "a secret in a referrer", "GET", "/api/v1/merchants", {
    headers: { referer: `https://example.com/?key=${secret}` },
  });
  for (const authorization of [
    secret,
    `Basic ${Buffer.from(`${secret}:`).toString("base64")}`,
    `Bearer ${secret}x`,
    `Token ${secret}`,
  ])
    await ask(traveller, "a secret in another scheme", "GET", "/api/v1/merchants", {
      key: null,
      headers: { authorization },
    });
}

/** Every page of every list, and every item of it, with what belongs to it. */
export async function readEverything(traveller: Traveller): Promise<string[]> {
  const seen: string[] = [];
  const walk = async (path: string, each: (id: string) => Promise<unknown>) => {
    for (let cursor = ""; ; ) {
      const { list, text } = await ask(traveller, `the list ${path}`, "GET", `${path}?limit=100${cursor}`);
      for (const { id } of list) await each(id);
      seen.push(...list.map(({ id }) => id));
      if (!text.includes('"has_more":true')) return;
      cursor = `&starting_after=${list.at(-1)!.id}`;
    }
  };
  const get = (path: string) => (id: string) => ask(traveller, `an item of ${path}`, "GET", `${path}/${id}`);
  await walk("/api/v1/provider_calls", get("/api/v1/provider_calls"));
  await walk("/api/v1/events", get("/api/v1/events"));
  await walk("/api/v1/documents", get("/api/v1/documents"));
  await walk("/api/v1/merchants", async (id) => walk(connectionsOf(id), get("/api/v1/connections")));
  // Last, since each of these reads is logged as well; what is logged while it is read comes before the first page.
  await walk("/api/v1/requests", get("/api/v1/requests"));
  return seen;
}
