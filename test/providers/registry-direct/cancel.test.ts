/** Cancelling a MARK, and checking whether one is cancelled. */
import { describe, expect, test } from "vitest";
import { buildOutgoing } from "../../helpers/documents.ts";
import {
  buildSent,
  cancellation,
  listed,
  MARK,
  openBench,
  refusal,
  requestedDoc,
  responseDoc,
} from "./bench.ts";
import { forEachTest } from "../../helpers/set-up.ts";

const bench = forEachTest(openBench);

const CANCEL = "CancelInvoice";
const LIST = "RequestTransmittedDocs";
const CANCELLATION = "400001832031421";
const document = buildSent(buildOutgoing("1.1"), { mark: MARK });
const SUCCESS = responseDoc(
  `<cancellationMark>${CANCELLATION}</cancellationMark><statusCode>Success</statusCode>`,
);
const ALREADY = responseDoc(refusal(null, "ValidationError", ["251", "Ήδη ακυρωμένο"]));
const CANCELLED = { kind: "cancelled", cancellationMark: CANCELLATION };

describe("a cancellation", () => {
  test("is a POST without a body, and returns its own MARK", async () => {
    bench.next(CANCEL, SUCCESS);
    const call = bench.call();
    expect(await bench.adapter.cancel(document, call.context)).toEqual(CANCELLED);
    expect(bench.got).toMatchObject([
      { what: "POST CancelInvoice", query: { mark: MARK }, body: "", headers: { "content-length": "0" } },
    ]);
    for (const name of ["accept", "content-type"]) expect(bench.got[0]!.headers).not.toHaveProperty(name);
    expect(call.shownTo(0)).toMatchObject({ url: `/test/CancelInvoice?mark=${MARK}`, status: 200 });
  });

  test.each([
    ["an answer that is cut", "cut" as const, "unknown"],
    ["nothing, in a 200", "", "unknown"],
    ["a success without a MARK", responseDoc("<statusCode>Success</statusCode>"), "unknown"],
    ["no response", responseDoc(), "unknown"],
    [
      "two responses",
      responseDoc("<statusCode>Success</statusCode>", "<statusCode>Success</statusCode>"),
      "unknown",
    ],
    ["a technical error", responseDoc(refusal(null, "TechnicalError", ["279", "α"])), "unknown"],
    ["500", { status: 500 }, "unknown"],
    ["429", { status: 429 }, "not_sent"],
    ["400", { status: 400 }, "unknown"],
    ["413", { status: 413 }, "not_sent"],
    ["401", { status: 401 }, "credentials_refused"],
    ["no right", responseDoc(refusal(null, "ValidationError", ["201", "α"])), "credentials_refused"],
    ["an active credit note", responseDoc(refusal(null, "ValidationError", ["255", "α"])), "rejected"],
    ["a MARK that is not known", responseDoc(refusal(null, "ValidationError", ["301", "α"])), "rejected"],
  ])("%s", async (_, answer, kind) => {
    bench.next(CANCEL, answer);
    expect((await bench.adapter.cancel(document, bench.call().context)).kind).toBe(kind);
  });

  test("of a cancelled document is looked up", async () => {
    bench.next(CANCEL, ALREADY);
    bench.next(LIST, requestedDoc([listed({ document, cancelledByMark: CANCELLATION })]));
    const call = bench.call();
    expect(await bench.adapter.cancel(document, call.context)).toEqual(CANCELLED);
    expect(call.further).toMatchObject([{ name: "status operation", logged: { status: 200 } }]);
    expect(call.shownTo(0)).toMatchObject({ url: `/test/CancelInvoice?mark=${MARK}` });
  });

  test.each([
    ["shows it as standing", requestedDoc([listed({ document })])],
    ["does not show it", requestedDoc([])],
    ["fails", "cut" as const],
  ])("of a cancelled document is done, even if the listing %s", async (_, answer) => {
    bench.next(CANCEL, ALREADY);
    bench.next(LIST, answer);
    expect(await bench.adapter.cancel(document, bench.call().context)).toEqual({
      kind: "cancelled",
      cancellationMark: null,
    });
  });

  test("requires a MARK", async () => {
    await expect(bench.adapter.cancel({ ...document, mark: null }, bench.call().context)).rejects.toThrow(
      "has no MARK",
    );
  });
});

describe("looking up a cancellation", () => {
  test.each([
    [
      "says it in the document",
      requestedDoc([listed({ document, cancelledByMark: CANCELLATION })]),
      CANCELLED,
    ],
    ["says it apart", requestedDoc([listed({ document })], cancellation(MARK, CANCELLATION)), CANCELLED],
    ["says it apart, without the document", requestedDoc([], cancellation(MARK, CANCELLATION)), CANCELLED],
    ["shows the document as standing", requestedDoc([listed({ document })]), { kind: "not_cancelled" }],
    ["shows another one", requestedDoc([listed({ document, mark: "4" })]), { kind: "unknown" }],
    ["shows nothing", requestedDoc([]), { kind: "unknown" }],
    ["fails", "cut" as const, { kind: "unknown" }],
    ["refuses the account", { status: 401 }, { kind: "credentials_refused" }],
  ])("the listing %s", async (_, answer, expected) => {
    bench.next(LIST, answer);
    expect(await bench.adapter.findCancellation(document, bench.call().context)).toMatchObject(expected);
    expect(bench.got[0]!.query).toEqual({ mark: String(BigInt(MARK) - 1n), maxMark: MARK });
  });

  test.each([
    ["1", "0"],
    ["9223372036854775807", "9223372036854775806"],
    ["9007199254740993", "9007199254740992"],
  ])("of the MARK %s queries above %s", async (mark, above) => {
    bench.next(LIST, requestedDoc([listed({ document, mark })]));
    await bench.adapter.findCancellation({ ...document, mark }, bench.call().context);
    expect(bench.got[0]!.query).toEqual({ mark: above, maxMark: mark });
  });
});
