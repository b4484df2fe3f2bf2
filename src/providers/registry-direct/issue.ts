/**
 * Sends documents, several per message, each with its own outcome. A message refused as a whole has registered
 * nothing, and one of its documents may be the cause. Its documents are then sent one by one, so that only the cause
 * is refused.
 */
import { type ErrorObject, validationError } from "../../foundation/errors.ts";
import type { IssueOutcome, OutgoingDocument } from "../../domain/provider-adapter.ts";
import { notSent, unknown } from "../exchange.ts";
import { readResponses } from "./answers.ts";
import { type Session, createTape, recorderFor, recordNoExchange, type Reply } from "./client.ts";
import { interpretRefusal, interpretResponses, isWholeRefusal, UNCLEAR } from "./outcome.ts";
import { buildInvoicesDoc } from "./payload.ts";
import { checkForRegistry } from "./precheck.ts";
import { splitIntoMessages } from "./split-messages.ts";

/**
 * The result of a message. `obstacle` is the outcome for the documents after it, if they cannot be sent; undefined if
 * they can.
 */
type Sent =
  | { kind: "decided"; outcomes: readonly IssueOutcome[]; obstacle: IssueOutcome | undefined }
  | { kind: "refused_whole"; error: ErrorObject };

export async function issueDocuments(
  session: Session,
  documents: readonly OutgoingDocument[],
): Promise<readonly IssueOutcome[]> {
  const { call } = session;
  const outcomes = new Map<number, IssueOutcome>();

  function decide(place: number, outcome: IssueOutcome): void {
    outcomes.set(place, outcome);
    call.known(place, outcome);
  }

  function decideUnsent(place: number, outcome: IssueOutcome): void {
    recordNoExchange(call, place);
    decide(place, outcome);
  }

  /**
   * Sends the messages in order; each is a list of positions. Once one is refused for the account or gets no answer,
   * the rest are postponed: they would fail in the same way, each after a full timeout.
   */
  async function sendEach(messages: readonly number[][]): Promise<IssueOutcome | undefined> {
    let obstacle: IssueOutcome | undefined;
    for (const places of messages) {
      if (obstacle === undefined && call.signal.aborted) obstacle = STOPPED;
      if (obstacle === undefined) obstacle = await sendMessage(places);
      else {
        const { kind } = obstacle;
        const postponed: IssueOutcome = kind === "not_sent" ? { ...obstacle, isUntried: true } : obstacle;
        for (const place of places) decideUnsent(place, postponed);
      }
    }
    return obstacle;
  }

  /** Decides the outcomes at `places`. Returns the obstacle for the documents after them, if any. */
  async function sendMessage(places: readonly number[]): Promise<IssueOutcome | undefined> {
    const sending = places.map((place) => documents[place]!);
    const { writeXml } = await import("./xml.ts");
    const filed = sending.map((document) => writeXml(buildInvoicesDoc([document])));
    await call.filing(places.map((index, place) => ({ index, text: filed[place]! })));
    const tape = createTape();
    let sent: Sent | undefined;
    try {
      const reply = await session.send(tape, { method: "SendInvoices", body: mergeMessages(filed) });
      sent = interpretReply(reply, sending);
    } finally {
      if (sent?.kind !== "refused_whole") tape.playTo(recorderFor(call, places));
    }
    if (sent.kind === "refused_whole") {
      // With its own log entry: those of the documents are for the sends that decided their outcomes.
      const verdict = { outcome: "rejected", error: sent.error } as const;
      tape.playTo(await call.begin("issue", "operation", verdict));
      return sendEach(places.map((place) => [place]));
    }
    for (const [index, place] of places.entries()) decide(place, sent.outcomes[index]!);
    return sent.obstacle;
  }

  for (const [place, document] of documents.entries()) {
    const refused = refuseUnsendable(document);
    if (refused !== undefined) decideUnsent(place, refused);
  }
  const sendable = [...documents.keys()].filter((place) => !outcomes.has(place));
  await sendEach(splitIntoMessages(documents, sendable));
  return documents.map((_, place) => {
    const outcome = outcomes.get(place);
    if (outcome === undefined) throw new Error("A document of the batch has no outcome");
    return outcome;
  });
}

const STOPPED = notSent({
  en: "The program stopped before the document was sent",
  el: "Το πρόγραμμα σταμάτησε πριν σταλεί το παραστατικό",
});

/** The refusal that acceptance would give too; undefined if the document can be sent. */
function refuseUnsendable({ input }: OutgoingDocument): IssueOutcome | undefined {
  const { problems } = checkForRegistry(input);
  return problems.length === 0
    ? undefined
    : { kind: "rejected", error: validationError(problems).toOutcomeError() };
}

/** One message with the invoices of messages that have one each, which is how each document's own part is kept. */
function mergeMessages([first = "", ...others]: readonly string[]): string {
  if (others.length === 0) return first;
  const start = first.indexOf("<invoice>");
  const end = first.lastIndexOf("</invoice>") + "</invoice>".length;
  const invoices = others.map((message) => message.slice(start, end - first.length));
  return first.slice(0, end) + invoices.join("") + first.slice(end);
}

const NOT_TRIED = notSent({
  en: "The document was not sent because an earlier one got no answer",
  el: "Το παραστατικό δεν στάλθηκε, επειδή ένα προηγούμενο δεν πήρε απάντηση",
});

function interpretReply(reply: Reply, documents: readonly OutgoingDocument[]): Sent {
  const isAlone = documents.length === 1;
  const forAll = (outcome: IssueOutcome, obstacle: IssueOutcome | undefined): Sent => ({
    kind: "decided",
    outcomes: documents.map(() => outcome),
    obstacle,
  });
  switch (reply.kind) {
    case "read": {
      const responses = readResponses(reply.root);
      if (responses === undefined) return forAll(unknown(UNCLEAR), NOT_TRIED);
      if (!isAlone && isWholeRefusal(responses))
        return { kind: "refused_whole", error: interpretRefusal(responses[0]!, "message").error };
      return { kind: "decided", outcomes: interpretResponses(responses, documents), obstacle: undefined };
    }
    case "message_refused":
      // Even for a single document this is not a verdict, so it is tried again and fails in the end rather than
      // being rejected.
      if (isAlone) return forAll({ kind: "not_sent", error: reply.error }, undefined);
      return { kind: "refused_whole", error: reply.error };
    case "unknown":
      return forAll(reply, NOT_TRIED);
    case "not_sent":
    case "credentials_refused":
      return forAll(reply, reply);
  }
}
