/** Sends requests to a server in tests of secrets, and records every response. */
import type { Source } from "./canary.ts";
import type { PlayedNetwork } from "./played-network.ts";

export interface Traveller {
  network: PlayedNetwork;
  key: string;
  /** Every response: status, headers and body. */
  answers: Source[];
  /** The server's current URL. */
  url(): string;
  /** Called for each new connect session; from then on its token is a secret. */
  learnToken(token: string): void;
  /** Called for each new endpoint and each rotated secret. */
  learnWebhookSecret(secret: string): void;
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
/** A different number on each call. */
export const nextCount = () => (count += 1);

/** Sends a request, and records the response under `name`. */
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

export async function makeMerchant(traveller: Traveller): Promise<string> {
  const body = JSON.stringify({
    external_id: `canary-${(count += 1)}`,
    name: "Παράδειγμα",
    tax_id: "123456783",
  });
  return (await ask(traveller, "a merchant", "POST", "/api/v1/merchants", { body })).data.id;
}

export const connectionsOf = (merchant: string) => `/api/v1/merchants/${merchant}/connections`;
