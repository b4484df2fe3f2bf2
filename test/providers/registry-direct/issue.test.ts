/** Sending: the messages, each document's outcome from each response, and the exchange that each is shown. */
import { describe, expect, test } from "vitest";
import type { IssueOutcome, OutgoingDocument } from "../../../src/domain/provider-adapter.ts";
import { buildInvoicesDoc } from "../../../src/providers/registry-direct/payload.ts";
import { textAt } from "../../../src/providers/registry-direct/answers.ts";
import { writeXml } from "../../../src/providers/registry-direct/xml.ts";
import { buildLine, buildOutgoing, CUSTOMERS } from "../../helpers/documents.ts";
import { invoicesIn, MARK, openBench, QR, responseDoc, success, SYNTAX_ERROR } from "./bench.ts";
import { forEachTest } from "../../helpers/set-up.ts";

const bench = forEachTest(openBench);

const SEND = "SendInvoices";
const markOf = (number: number) => String(400_001_000_000_000 + number);

/** Receipts 1 to `count`. */
const receipts = (count: number): OutgoingDocument[] =>
  Array.from({ length: count }, (_, index) =>
    buildOutgoing("11.1", {}, { number: index + 1, uid: String(index + 1).padStart(40, "A") }),
  );
/** A receipt with so many lines that two fill a message. */
function large({ number, uid }: OutgoingDocument): OutgoingDocument {
  return buildOutgoing("11.1", { lines: Array.from({ length: 1000 }, () => buildLine()) }, { number, uid });
}
/** A document that the precheck rejects. */
function unsendable(document: OutgoingDocument): OutgoingDocument {
  const customer = { ...CUSTOMERS.abroad, branch: 0, tax_id: { country: "CW", code: "123456789" } };
  return { ...document, input: { ...document.input, customer } };
}

const successes = (...documents: OutgoingDocument[]) =>
  responseDoc(...documents.map(({ uid, number }, index) => success(index + 1, uid, markOf(number!))));
const kindsOf = (outcomes: readonly IssueOutcome[]) =>
  outcomes.map((outcome) => (outcome.kind === "issued" ? outcome.mark : outcome.kind));
/** The numbers of the documents in each message. */
const sentNumbers = () =>
  bench.got.map((got) => invoicesIn(got).map((invoice) => textAt(invoice, "invoiceHeader", "aa")));

describe("one document", () => {
  test("is sent as the exact text of its payload, and issued", async () => {
    const document = buildOutgoing("1.1", { customer: CUSTOMERS.eu });
    bench.next(SEND, responseDoc(success(1, document.uid)));
    const call = bench.call();
    expect(await bench.adapter.issue([document], call.context)).toEqual([
      { kind: "issued", mark: MARK, uid: document.uid, qrUrl: QR },
    ]);
    const [got] = bench.got;
    expect(got).toMatchObject({ what: "POST SendInvoices", path: "/test/SendInvoices" });
    expect(got!.body).toBe(writeXml(bench.adapter.buildPayload(document)));
    expect(call.shownTo(0)).toEqual({ url: "/test/SendInvoices", body: got!.body, status: 200 });
    expect(call.further).toEqual([]);
  });

  test("is sent with both credentials, as XML, without requesting a content type", async () => {
    const [document] = receipts(1) as [OutgoingDocument];
    bench.next(SEND, successes(document));
    await bench.adapter.issue([document], bench.call().context);
    const { headers } = bench.got[0]!;
    expect(headers).toMatchObject({
      "aade-user-id": "user-1",
      "ocp-apim-subscription-key": "key-1",
      "content-type": "application/xml",
    });
    expect(headers).not.toHaveProperty("accept");
  });

  test("in live mode is sent to the live URL", async () => {
    const [document] = receipts(1) as [OutgoingDocument];
    bench.next(SEND, successes(document));
    await bench.adapter.issue([document], bench.call({ mode: "live" }).context);
    expect(bench.got[0]!.path).toBe("/live/SendInvoices");
  });

  test("declares a transmission failure only if the document requests it", async () => {
    const [document] = receipts(1) as [OutgoingDocument];
    bench.next(SEND, successes(document));
    await bench.adapter.issue(
      [{ ...document, metadata: { transmission_failure: "3" } }],
      bench.call().context,
    );
    const [invoice] = invoicesIn(bench.got[0]!);
    expect(invoice!.children.slice(0, 2).map(({ name }) => name)).toEqual(["transmissionFailure", "issuer"]);
    expect(textAt(invoice!, "transmissionFailure")).toBe("3");
  });
});

describe("several documents", () => {
  // docs/authority.md#http-status: messages are not atomic.
  test("of a message with HTTP 400 are all unknown, and none is sent again before it is looked up", async () => {
    bench.next(SEND, { status: 400, body: "General Exception Error" });
    const outcomes = await bench.adapter.issue(receipts(3), bench.call().context);
    expect(outcomes).toMatchObject(
      [1, 2, 3].map(() => ({ kind: "unknown", error: { provider_message: "General Exception Error" } })),
    );
    expect(sentNumbers()).toEqual([["1", "2", "3"]]);
  });

  test("go alone if they were looked up in vain", async () => {
    const documents = receipts(4).map((document, place) => ({
      ...document,
      wasNotFound: place === 1 || place === 2,
    }));
    for (const document of documents) bench.next(SEND, successes(document));
    const outcomes = await bench.adapter.issue(documents, bench.call().context);
    expect(kindsOf(outcomes)).toEqual([1, 2, 3, 4].map(markOf));
    expect(sentNumbers()).toEqual([["1"], ["2"], ["3"], ["4"]]);
  });

  test("are sent in order in one message and share its exchange", async () => {
    const documents = receipts(3);
    bench.next(SEND, successes(...documents));
    const call = bench.call();
    const outcomes = await bench.adapter.issue(documents, call.context);
    expect(kindsOf(outcomes)).toEqual([1, 2, 3].map(markOf));
    expect(sentNumbers()).toEqual([["1", "2", "3"]]);
    expect(bench.got[0]!.body).toBe(writeXml(buildInvoicesDoc(documents)));
    for (const place of [0, 1, 2]) expect(call.shownTo(place)).toBe(call.shared);
  });

  test("that are large are sent in several messages, each with its exchange", async () => {
    const documents = receipts(5).map(large);
    bench.next(SEND, successes(documents[0]!, documents[1]!));
    bench.next(SEND, successes(documents[2]!, documents[3]!));
    bench.next(SEND, successes(documents[4]!));
    const call = bench.call();
    const outcomes = await bench.adapter.issue(documents, call.context);
    expect(kindsOf(outcomes)).toEqual([1, 2, 3, 4, 5].map(markOf));
    expect(sentNumbers()).toEqual([["1", "2"], ["3", "4"], ["5"]]);
    const bodies = bench.got.map(({ body }) => body);
    expect([0, 1, 2, 3, 4].map((place) => call.shownTo(place))).toMatchObject(
      [0, 0, 1, 1, 2].map((message) => ({ body: bodies[message], status: 200 })),
    );
  });

  test.each([
    ["refuses the account", { status: 401 }, "credentials_refused", "credentials_refused"],
    ["is put off", { status: 429 }, "not_sent", "not_sent"],
    ["has no answer", "cut" as const, "unknown", "not_sent"],
    ["has an answer that cannot be read", "", "unknown", "not_sent"],
  ])("after a message that %s are not sent", async (_, answer, kind, behind) => {
    const documents = receipts(5).map(large);
    bench.next(SEND, successes(documents[0]!, documents[1]!));
    bench.next(SEND, answer);
    const call = bench.call();
    const outcomes = await bench.adapter.issue(documents, call.context);
    expect(kindsOf(outcomes)).toEqual([markOf(1), markOf(2), kind, kind, behind]);
    expect(call.shownTo(4)).toEqual({});
  });

  test("are not sent once the program is stopping", async () => {
    const stopping = new AbortController();
    const documents = receipts(4).map(large);
    bench.next(SEND, successes(documents[0]!, documents[1]!));
    const call = bench.call({ signal: stopping.signal });
    const issuing = bench.adapter.issue(documents, {
      ...call.context,
      evidence: {
        ...call.context.evidence,
        response(received) {
          call.context.evidence.response(received);
          stopping.abort();
        },
      },
    });
    expect(kindsOf(await issuing)).toEqual([markOf(1), markOf(2), "not_sent", "not_sent"]);
    expect(bench.got).toHaveLength(1);
  });
});

test("a document that the schema cannot represent is rejected without a send, and affects no other", async () => {
  const [first, second, third] = receipts(3) as [OutgoingDocument, OutgoingDocument, OutgoingDocument];
  bench.next(SEND, successes(first, third));
  const call = bench.call();
  const outcomes = await bench.adapter.issue([first, unsendable(second), third], call.context);
  expect(kindsOf(outcomes)).toEqual([markOf(1), "rejected", markOf(3)]);
  expect(outcomes[1]).toMatchObject({
    error: { code: "validation_failed", message: expect.stringContaining("customer.tax_id.country") },
  });
  expect(sentNumbers()).toEqual([["1", "3"]]);
  expect(call.shownTo(1)).toEqual({});
});

describe("a message that is rejected as a whole", () => {
  test.each([
    ["for its XML", SYNTAX_ERROR],
    ["for its size", { status: 413 }],
  ])("%s is sent again one by one, so that only the cause is rejected", async (_, answer) => {
    const documents = receipts(3);
    bench.next(SEND, answer);
    bench.next(SEND, successes(documents[0]!));
    bench.next(SEND, SYNTAX_ERROR);
    bench.next(SEND, successes(documents[2]!));
    const call = bench.call();
    const outcomes = await bench.adapter.issue(documents, call.context);
    expect(kindsOf(outcomes)).toEqual([markOf(1), "rejected", markOf(3)]);
    expect(sentNumbers()).toEqual([["1", "2", "3"], ["1"], ["2"], ["3"]]);
    const bodies = bench.got.map(({ body }) => body);
    expect([0, 1, 2].map((place) => call.shownTo(place))).toMatchObject(
      [1, 2, 3].map((message) => ({ body: bodies[message], status: 200 })),
    );
    expect(call.further).toMatchObject([{ name: "issue operation", logged: { body: bodies[0] } }]);
  });

  test("is not sent further if the connection then fails", async () => {
    const documents = receipts(4);
    bench.next(SEND, SYNTAX_ERROR);
    bench.next(SEND, successes(documents[0]!));
    bench.next(SEND, "cut");
    const call = bench.call();
    const outcomes = await bench.adapter.issue(documents, call.context);
    expect(kindsOf(outcomes)).toEqual([markOf(1), "unknown", "not_sent", "not_sent"]);
    expect([2, 3].map((place) => call.shownTo(place))).toEqual([{}, {}]);
  });
});
