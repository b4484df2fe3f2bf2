/**
 * What a sender can know about its documents from the authority's answers. The authority registers a second send again, so a
 * document that may have arrived is sent again only after enough listings without it, and no other document ever gets its number
 * (docs/contract.md#unknown-outcomes-at-the-registry).
 */
import { readInvoices } from "../helpers/fake-registry/documents.ts";
import type { Request, Response } from "./platform.ts";

/** Listings that must have been read before another send. */
const LISTINGS_MIN = 3;

/** How a request ended for its sender: with a response, without a connection, or without an answer. */
export type Ending = Response | "refused" | "lost";

interface Sends {
  account: string;
  type: string;
  /** Since the last one that may have arrived. */
  listings: number;
  /** Those that may have arrived. */
  doubtful: number;
  isLastDoubtful: boolean;
}

export function createDoubts(today: string, complain: (what: string) => void) {
  const sends = new Map<string, Sends>();
  const documentsOf = ({ body }: Request) => readInvoices(body ?? "", today) ?? [];

  return {
    /** Called before the request is carried. */
    sent(request: Request) {
      const account = request.headers["aade-user-id"] ?? "";
      for (const { uid, type, series, aa } of documentsOf(request)) {
        const before = sends.get(uid);
        if (before?.isLastDoubtful === true && before.listings < LISTINGS_MIN)
          complain(`${type} ${series} ${aa} of ${account} was sent again after ${before.listings} listings`);
        const doubtful = (before?.doubtful ?? 0) + 1;
        sends.set(uid, { account, type, listings: 0, doubtful, isLastDoubtful: true });
      }
    },
    ended(request: Request, ending: Ending) {
      const documents = documentsOf(request);
      for (const [index, { uid }] of documents.entries()) {
        if (!isCertainlyAbsent(ending, index, documents.length)) continue;
        const { doubtful, ...rest } = sends.get(uid)!;
        sends.set(uid, { ...rest, doubtful: doubtful - 1, isLastDoubtful: false });
      }
    },
    /** The first page of an account's documents of a type was read. */
    listed(account: string, type: string) {
      for (const send of sends.values())
        if (send.account === account && send.type === type) send.listings += 1;
    },
    /** Whether any send under this uid may have been registered without an answer that says so. */
    isDoubtful: (uid: string) => (sends.get(uid)?.doubtful ?? 0) > 0,
  };
}

export type Doubts = ReturnType<typeof createDoubts>;

/** Whether the sender knows that the document at `index` was not registered by this send. */
function isCertainlyAbsent(ending: Ending, index: number, count: number): boolean {
  if (ending === "refused" || ending === "lost") return ending === "refused";
  const { status, body } = ending;
  if (status !== 200) return status === 401 || status === 429 || (status === 403 && body === "");
  const responses = unwrap(body).match(/<response>.*?<\/response>/gs) ?? [];
  const isOnly = responses.length === 1 && count === 1;
  const own = responses.filter((one) => isOnly || one.includes(`<index>${index + 1}</index>`));
  return own.length === 1 && own[0]!.includes("ValidationError");
}

function unwrap(body: string): string {
  const text = body.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
  return text === body ? body : unwrap(text);
}
