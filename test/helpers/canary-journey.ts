/** Exercises every operation of a server that handles secrets. */
import { buildIssueBody } from "./appliance.ts";
import {
  ask,
  connectionsOf,
  type Credentials,
  makeMerchant,
  nextCount,
  type Traveller,
} from "./canary-traveller.ts";
import type { Mood } from "./played-network.ts";

/** A receipt dated today, because the licensed provider accepts no other date, and receipts need no customer lookup. */
function receiptOfToday(merchant: string): string {
  const issueDate = new Date().toLocaleDateString("sv-SE", { timeZone: "Europe/Athens" });
  const { document, ...around } = buildIssueBody(merchant);
  return JSON.stringify({
    ...around,
    document: { ...(document as object), type: "11.1", customer: undefined, issue_date: issueDate },
  });
}

const WAIT_MS_MAX = 5000;

/** Waits until the document is sent, which happens in the background with the connection's secrets. */
async function waitForCall(traveller: Traveller, document: string): Promise<void> {
  const deadline = Date.now() + WAIT_MS_MAX;
  for (;;) {
    const { list } = await ask(
      traveller,
      "the calls of a document",
      "GET",
      `/api/v1/provider_calls?document=${document}`,
    );
    if (list.length > 0) return;
    if (Date.now() > deadline) throw new Error(`${document} was not sent within ${WAIT_MS_MAX} ms`);
    await new Promise((turn) => setTimeout(turn, 10));
  }
}

/**
 * Connects while the provider is in each mood, then verifies, issues and disconnects. Returns the statuses of the
 * creations.
 */
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
    const made = await ask(traveller, "a document", "POST", "/api/v1/documents", {
      body: receiptOfToday(merchant),
    });
    await waitForCall(traveller, made.data.id);
    await ask(traveller, "a disconnection", "POST", `/api/v1/connections/${data.id}/disconnect`);
  }
  return statuses;
}

/** Responses of `pages` are pages for people, which may repeat submitted values that are not secret. */
export const PAGE = "page";
/** The only response that contains a link. */
export const NEW_LINK = "a new link";
export const NEW_SECRET = "a new secret of an endpoint";

/**
 * Creates an endpoint at a closed port, so that its deliveries fail. It is created twice under one key, and its
 * secret rotated.
 */
export async function makeEndpoint(traveller: Traveller): Promise<void> {
  const body = JSON.stringify({ url: "http://127.0.0.1:1/hooks", enabled_events: ["*"] });
  const again = { body, headers: { "idempotency-key": "endpoint" } };
  const { data } = await ask(traveller, NEW_SECRET, "POST", "/api/v1/webhook_endpoints", again);
  traveller.learnWebhookSecret(String(data["secret"]));
  await ask(traveller, NEW_SECRET, "POST", "/api/v1/webhook_endpoints", again);
  const path = `/api/v1/webhook_endpoints/${data.id}`;
  const rotated = await ask(traveller, NEW_SECRET, "POST", `${path}/rotate_secret`, { body: "{}" });
  traveller.learnWebhookSecret(String(rotated.data["secret"]));
  for (const read of ["", path, `${path}/deliveries`])
    await ask(traveller, "an endpoint", "GET", read === "" ? "/api/v1/webhook_endpoints" : read);
}

/** Creates a link, opens it, submits the credentials in every mood, and uses it up. */
export async function connectByLink(traveller: Traveller, given: Credentials): Promise<number[]> {
  const merchant = await makeMerchant(traveller);
  const again = { body: "{}", headers: { "idempotency-key": `link-${nextCount()}` } };
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

/** Reads every page of every list, and every item with its sub-resources. */
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
  // Last, because these reads are logged too; entries logged during the walk come before the first page.
  await walk("/api/v1/requests", get("/api/v1/requests"));
  return seen;
}
