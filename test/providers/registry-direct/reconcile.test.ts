/** Looks up sends: one listing per day and type, page by page, and an absence only after reading all of it. */
import { describe, expect, test } from "vitest";
import { PAGES_MAX } from "../../../src/providers/registry-direct/lookup.ts";
import { buildOutgoing } from "../../helpers/documents.ts";
import {
  buildSent,
  continuation,
  listed,
  MARK,
  openBench,
  QR,
  refusal,
  requestedDoc,
  responseDoc,
} from "./bench.ts";
import { forEachTest } from "../../helpers/set-up.ts";

const bench = forEachTest(openBench);

const LIST = "RequestTransmittedDocs";
const LATER = "400009999999999";
const receipt = (number: number, day = "2026-11-02") =>
  buildSent(
    buildOutgoing(
      "11.1",
      { issue_date: day },
      { number, uid: `${number}${day.slice(-2)}`.padStart(40, "A") },
    ),
  );
const FOUND = { kind: "issued", mark: MARK, qrUrl: QR, surplusMarks: [], cancelledMarks: [] };

describe("a listing", () => {
  test("is requested by day, in the query's format, and type", async () => {
    bench.next(LIST, requestedDoc([]));
    const call = bench.call();
    expect(await bench.adapter.reconcile([receipt(1, "2026-03-09")], call.context)).toEqual([
      { kind: "absent" },
    ]);
    expect(bench.got).toMatchObject([
      {
        what: "GET RequestTransmittedDocs",
        path: "/test/RequestTransmittedDocs?mark=0&dateFrom=09%2F03%2F2026&dateTo=09%2F03%2F2026&invType=11.1",
        query: { mark: "0", dateFrom: "09/03/2026", dateTo: "09/03/2026", invType: "11.1" },
        body: "",
      },
    ]);
    expect(bench.got[0]!.headers).not.toHaveProperty("accept");
    expect(call.shownTo(0)).toMatchObject({ status: 200 });
  });

  test("is used for every document of its day and type", async () => {
    const documents = [receipt(1), receipt(2), receipt(3)];
    bench.next(
      LIST,
      requestedDoc([listed({ document: documents[2]!, mark: LATER }), listed({ document: documents[0]! })]),
    );
    const call = bench.call();
    expect(await bench.adapter.reconcile(documents, call.context)).toEqual([
      { ...FOUND, uid: documents[0]!.uid },
      { kind: "absent" },
      { ...FOUND, uid: documents[2]!.uid, mark: LATER },
    ]);
    expect(call.further).toEqual([]);
    for (const place of [0, 1, 2]) expect(call.shownTo(place)).toBe(call.shared);
  });

  test("of each day and type is separate, with its own exchange", async () => {
    const documents = [receipt(1), receipt(2, "2026-11-01"), receipt(3), buildSent(buildOutgoing("1.1"))];
    bench.next(LIST, requestedDoc([listed({ document: documents[0]! })]));
    bench.next(LIST, requestedDoc([]));
    bench.next(LIST, requestedDoc([listed({ document: documents[3]! })]));
    const call = bench.call();
    const outcomes = await bench.adapter.reconcile(documents, call.context);
    expect(outcomes.map(({ kind }) => kind)).toEqual(["issued", "absent", "absent", "issued"]);
    expect(bench.got.map(({ query }) => [query["dateFrom"], query["invType"]])).toEqual([
      ["02/11/2026", "11.1"],
      ["01/11/2026", "11.1"],
      ["02/11/2026", "1.1"],
    ]);
    const urls = bench.got.map(({ path }) => path);
    expect([0, 1, 2, 3].map((place) => call.shownTo(place))).toMatchObject(
      [0, 1, 0, 2].map((listing) => ({ url: urls[listing], status: 200 })),
    );
  });

  test("is read to its last page, each further one as a separate call", async () => {
    const documents = [receipt(1), receipt(2)];
    bench.next(
      LIST,
      requestedDoc([listed({ document: documents[0]!, mark: LATER })], continuation("p&1", "r 1")),
    );
    bench.next(LIST, requestedDoc([], continuation("p&1", "r 2")));
    bench.next(
      LIST,
      requestedDoc([listed({ document: documents[0]! }), listed({ document: documents[1]! })]),
    );
    const call = bench.call();
    expect(await bench.adapter.reconcile(documents, call.context)).toEqual([
      { ...FOUND, uid: documents[0]!.uid, mark: LATER, surplusMarks: [MARK] },
      { ...FOUND, uid: documents[1]!.uid },
    ]);
    const first = { mark: "0", dateFrom: "02/11/2026", dateTo: "02/11/2026", invType: "11.1" };
    expect(bench.got.map(({ query }) => query)).toEqual([
      first,
      { ...first, nextPartitionKey: "p&1", nextRowKey: "r 1" },
      { ...first, nextPartitionKey: "p&1", nextRowKey: "r 2" },
    ]);
    expect(call.further).toMatchObject([
      { name: "status operation", logged: { status: 200 } },
      { name: "status operation", logged: { status: 200 } },
    ]);
  });
});

describe("an incomplete listing is not an absence", () => {
  test.each([
    ["cut", "cut" as const, "unknown"],
    ["empty", "", "unknown"],
    ["with half a token", requestedDoc([], continuation("p", "")), "unknown"],
    ["refused", responseDoc(refusal(null, "ValidationError", ["103", "α"])), "unknown"],
    ["refused technically", responseDoc(refusal(null, "TechnicalError")), "unknown"],
    ["an answer to something else", responseDoc(), "unknown"],
    ["404", { status: 404 }, "not_sent"],
    ["401", { status: 401 }, "credentials_refused"],
    ["without the right", responseDoc(refusal(null, "ValidationError", ["105", "α"])), "credentials_refused"],
  ])("%s", async (_, answer, kind) => {
    bench.next(LIST, answer);
    const outcomes = await bench.adapter.reconcile([receipt(1), receipt(2)], bench.call().context);
    expect(outcomes.map((outcome) => outcome.kind)).toEqual([kind, kind]);
  });

  test("on its second page", async () => {
    bench.next(LIST, requestedDoc([], continuation("p", "r")));
    bench.next(LIST, "cut");
    const outcomes = await bench.adapter.reconcile([receipt(1)], bench.call().context);
    expect(outcomes).toMatchObject([{ kind: "unknown" }]);
  });

  test("whose pages repeat", async () => {
    for (const row of ["1", "2", "1"]) bench.next(LIST, requestedDoc([], continuation("p", row)));
    expect(await bench.adapter.reconcile([receipt(1)], bench.call().context)).toMatchObject([
      { kind: "unknown", error: { message: expect.stringContaining("does not end") } },
    ]);
  });

  test("that never ends", async () => {
    for (let page = 1; page <= PAGES_MAX; page += 1) {
      bench.next(LIST, requestedDoc([], continuation("p", String(page))));
    }
    expect(await bench.adapter.reconcile([receipt(1)], bench.call().context)).toMatchObject([
      { kind: "unknown", error: { message: expect.stringContaining("does not end") } },
    ]);
    expect(bench.got).toHaveLength(PAGES_MAX);
  });
});

describe("several listings", () => {
  const documents = [receipt(1), receipt(2, "2026-11-01")];

  test.each([
    ["has no answer", "cut" as const, "unknown"],
    ["cannot be read", "", "unknown"],
  ])("are each requested, although one %s", async (_, answer, kind) => {
    bench.next(LIST, answer);
    bench.next(LIST, requestedDoc([listed({ document: documents[1]! })]));
    const outcomes = await bench.adapter.reconcile(documents, bench.call().context);
    expect(outcomes.map((outcome) => outcome.kind)).toEqual([kind, "issued"]);
  });

  test.each([
    ["refuses the account", { status: 401 }, "credentials_refused"],
    ["is put off", { status: 429 }, "not_sent"],
  ])("wait if one %s", async (_, answer, kind) => {
    bench.next(LIST, answer);
    const call = bench.call();
    const outcomes = await bench.adapter.reconcile(documents, call.context);
    expect(outcomes.map((outcome) => outcome.kind)).toEqual([kind, kind]);
    expect(call.shownTo(1)).toEqual({});
  });
});

test("an unreachable account changes nothing", async () => {
  const outcomes = await bench.unreachable.reconcile([receipt(1)], bench.call().context);
  expect(outcomes).toMatchObject([{ kind: "not_sent" }]);
});

describe("the MARK of an accepted document", () => {
  test("is read from the listing", async () => {
    const document = receipt(1);
    bench.next(LIST, requestedDoc([listed({ document })]));
    expect(await bench.adapter.status([document], bench.call().context)).toMatchObject([
      { kind: "issued", mark: MARK, uid: document.uid },
    ]);
  });

  test("is unknown while it is missing from the listing", async () => {
    bench.next(LIST, requestedDoc([]));
    expect(await bench.adapter.status([receipt(1)], bench.call().context)).toMatchObject([
      { kind: "unknown" },
    ]);
  });
});
