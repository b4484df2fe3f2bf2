/** Cancels MARKs, and looks up whether one is already cancelled (docs/authority.md#cancelling). */
import { unknown } from "../exchange.ts";
import type {
  CallContext,
  CallRecorder,
  CancellationLookup,
  CancelOutcome,
  SentDocument,
} from "../../domain/provider-adapter.ts";
import { readResponses } from "./answers.ts";
import type { Client } from "./client.ts";
import { ALREADY_CANCELLED } from "../../domain/authority-codes.ts";
import { interpretRefusal, unknownFrom } from "./outcome.ts";
import { listTransmitted } from "./lookup.ts";

function markOf({ id, mark }: SentDocument): string {
  if (mark === null) throw new Error(`The document ${id} has no MARK to be cancelled`);
  return mark;
}

/** Cancels the document's MARK. If someone already cancelled it, that cancellation is looked up and counts as ours. */
export async function cancelMark(
  client: Client,
  call: CallContext,
  document: SentDocument,
): Promise<CancelOutcome> {
  const mark = markOf(document);
  const request = { method: "CancelInvoice", query: { mark } } as const;
  const reply = await client.send(call, call.evidence, request);
  if (reply.kind === "message_refused") return { kind: "not_sent", error: reply.error };
  if (reply.kind !== "read") return reply;
  const [response, ...more] = readResponses(reply.root) ?? [];
  if (response === undefined || more.length > 0) {
    return unknown({
      en: "The tax authority's response does not answer the cancellation",
      el: "Η απάντηση της ΑΑΔΕ δεν αφορά την ακύρωση",
    });
  }
  if (response.statusCode === "Success") {
    const { cancellationMark } = response;
    return cancellationMark === null
      ? unknownFrom(response, {
          en: "The tax authority reports a cancellation without its MARK",
          el: "Η ΑΑΔΕ αναφέρει ακύρωση χωρίς το ΜΑΡΚ της",
        })
      : { kind: "cancelled", cancellationMark };
  }
  if (response.errors.some(({ code }) => code === ALREADY_CANCELLED)) {
    const found = await lookUp(client, call, await call.begin("status", "operation"), mark);
    // The authority may call a replaced document cancelled and list no cancellation (docs/authority.md#several-marks).
    return {
      kind: "cancelled",
      cancellationMark: found.kind === "cancelled" ? found.cancellationMark : null,
    };
  }
  return interpretRefusal(response, "cancellation");
}

export function findCancellation(
  client: Client,
  call: CallContext,
  document: SentDocument,
): Promise<CancellationLookup> {
  return lookUp(client, call, call.evidence, markOf(document));
}

/** Lists this one MARK: the lower bound is exclusive, the upper one inclusive. */
async function lookUp(
  client: Client,
  call: CallContext,
  recorder: CallRecorder,
  mark: string,
): Promise<CancellationLookup> {
  const above = String(BigInt(mark) - 1n);
  const listing = await listTransmitted(client, call, recorder, { above, upTo: mark });
  if (listing.kind !== "listed") return listing;
  const invoice = listing.invoices.find((listed) => listed.mark === mark);
  const cancellationMark = invoice?.cancelledByMark ?? listing.cancellations.get(mark);
  if (cancellationMark !== undefined) return { kind: "cancelled", cancellationMark };
  if (invoice !== undefined) return { kind: "not_cancelled" };
  // Two cancellations can both succeed, so a document missing from the listing is not cancelled again.
  return unknown({
    en: "The tax authority does not list the document, so it is not known whether it is cancelled",
    el: "Η ΑΑΔΕ δεν δείχνει το παραστατικό, οπότε δεν είναι γνωστό αν έχει ακυρωθεί",
  });
}
