/** The hosts in the simulated network: the authority, and the receivers of webhooks. */
import { createHmac } from "node:crypto";
import {
  type Authority,
  createAuthority,
  type AuthorityOptions,
} from "../helpers/fake-registry/authority.ts";
import { TODAY } from "../helpers/documents.ts";
import { createDoubts, type Doubts } from "./doubts.ts";
import type { Destination } from "./network.ts";
import type { Request } from "./platform.ts";

export const AUTHORITY_URL = "https://authority.example.com";
export const RECEIVER_URL = "https://hooks.example.com";
/** Accepts nothing. */
export const DEAD_RECEIVER_URL = `${RECEIVER_URL}/dead`;

const OPERATIONS = { SendInvoices: "send", RequestTransmittedDocs: "list", CancelInvoice: "cancel" } as const;
const NAMED = /<series>(.*?)<\/series><aa>(\d+)<\/aa>/g;

export interface AuthorityHost extends Destination {
  authority: Authority;
  doubts: Doubts;
}

/** Complains about documents that are sent again although they may be registered. */
export function createAuthorityHost(
  options: AuthorityOptions,
  complain: (what: string) => void,
): AuthorityHost {
  const authority = createAuthority(options);
  const doubts = createDoubts(TODAY, complain);
  const methodOf = ({ url }: Request) => new URL(url).pathname.slice(1);
  const isSend = (request: Request) => methodOf(request) === "SendInvoices";
  return {
    authority,
    doubts,
    sent(request) {
      if (isSend(request)) doubts.sent(request);
    },
    ended(request, ending) {
      if (isSend(request)) return doubts.ended(request, ending);
      if (typeof ending === "string" || ending.status !== 200) return;
      const { searchParams } = new URL(request.url);
      const isFirstPage = !searchParams.has("nextPartitionKey");
      if (methodOf(request) === "RequestTransmittedDocs" && isFirstPage)
        doubts.listed(request.headers["aade-user-id"] ?? "", searchParams.get("invType") ?? "");
    },
    describe(request) {
      const method = methodOf(request);
      const operation = OPERATIONS[method as keyof typeof OPERATIONS] ?? "list";
      const { searchParams } = new URL(request.url);
      const sent = operation === "send" ? [...(request.body ?? "").matchAll(NAMED)] : [];
      const subject =
        operation === "send"
          ? sent.map(([, series, number]) => `${series}${number}`).join(" ")
          : (searchParams.get("invType") ?? searchParams.get("mark") ?? "");
      const merchant = authority.accounts.findIndex(
        ({ userId }) => userId === request.headers["aade-user-id"],
      );
      return { operation, subject, merchant, documents: sent.length };
    },
    receive(request, fault) {
      return authority.answer(
        {
          method: methodOf(request),
          verb: request.method,
          query: new URL(request.url).searchParams,
          userId: request.headers["aade-user-id"],
          key: request.headers["ocp-apim-subscription-key"],
          body: request.body ?? "",
        },
        fault,
      );
    },
  };
}

/** What a receiver got: the event and its document, in order. */
export interface Delivery {
  endpoint: string;
  eventId: string;
  documentId: string | null;
}

export interface ReceiverHost extends Destination {
  /** Each first attempt, in the order in which they were made. */
  attempted: Delivery[];
  /** When each event was sent to an endpoint, by the names of both, in milliseconds of the machine's clock. */
  sentAtMs: Map<string, number[]>;
  /** The events that arrived, by endpoint. */
  arrived: Map<string, Set<string>>;
}

/** Complains about deliveries that are not signed with `secret` (docs/contract.md#webhook-signature). */
export function createReceiverHost(
  secret: string,
  clockMs: () => number,
  complain: (what: string) => void,
): ReceiverHost {
  const attempted: Delivery[] = [];
  const sentAtMs = new Map<string, number[]>();
  const arrived = new Map<string, Set<string>>();
  const read = ({ url, body }: Request): Delivery => {
    const event = JSON.parse(body ?? "") as { id: string; data: { object: { object: string; id: string } } };
    const { object, id } = event.data.object;
    return {
      endpoint: new URL(url).pathname,
      eventId: event.id,
      documentId: object === "document" ? id : null,
    };
  };
  return {
    attempted,
    sentAtMs,
    arrived,
    describe(request) {
      const { type } = JSON.parse(request.body ?? "") as { type: string };
      return { operation: "hook", subject: `${new URL(request.url).pathname} ${type}` };
    },
    sent(request) {
      const delivery = read(request);
      const name = `${delivery.endpoint} ${delivery.eventId}`;
      const sent = sentAtMs.get(name);
      if (sent === undefined) attempted.push(delivery);
      sentAtMs.set(name, [...(sent ?? []), clockMs()]);
    },
    receive(request) {
      const { endpoint, eventId } = read(request);
      if (request.url === DEAD_RECEIVER_URL) return { status: 503, headers: {}, body: "" };
      const [, time, given] =
        /^t=(\d+),v1=([0-9a-f]{64})$/.exec(request.headers["service-signature"] ?? "") ?? [];
      const signature = createHmac("sha256", secret).update(`${time}.${request.body}`).digest("hex");
      if (given !== signature) complain(`${eventId} came to ${endpoint} with a wrong signature`);
      const events = arrived.get(endpoint) ?? new Set();
      arrived.set(endpoint, events.add(eventId));
      return { status: 200, headers: {}, body: "" };
    },
  };
}
