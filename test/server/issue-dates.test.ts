/** docs/contract.md#issue-dates-and-closed-periods */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { signedIn } from "../helpers/console.ts";
import { buildDocument, buildLine } from "../helpers/documents.ts";
import { openServer, type Server } from "../helpers/http.ts";
import { auditNumbering } from "../../src/numbering/audit-numbers.ts";

const DOCUMENTS = "/api/v1/documents";
const LATE =
  "issue date: more than one day ago; the data of a sale are due at the tax authority by the next day";
const backwards = (last: string) =>
  `issue date: earlier than ${last}, the date of the last document issued in this series; numbers and dates should ascend together`;

let server: Server;
afterEach(() => server.close());

/** A 5.2, which has no warning of its own but those about its date. */
function build(day: string) {
  const income_classification = { category: "category1_1", type: "E3_561_001" } as const;
  return buildDocument("5.2", { issue_date: day, lines: [buildLine({ income_classification })] });
}

const issue = (day: string) => server.issue({ document: build(day) });
const preview = (day: string) => server.post(`${DOCUMENTS}/preview`, build(day));
const warningsOf = async (day: string): Promise<string[]> =>
  (await issue(day)).body.data.classification.warnings;

describe("in the strict sandbox, on 21 November", () => {
  beforeEach(async () => {
    server = await openServer({ env: { FISCAL_SANDBOX__STRICT: "true" } });
  });

  test("a date more than a day old gets a warning, and in the preview too", async () => {
    expect(await warningsOf("2026-11-21")).toEqual([]);
    expect(await warningsOf("2026-11-20")).toEqual([]);
    expect(await warningsOf("2026-11-19")).toEqual([LATE]);
    expect((await preview("2026-11-19")).body.data.classification.warnings).toEqual([LATE]);
  });

  test("a date before that of the last issued document of the series gets one, and the audit lists it", async () => {
    await issue("2026-11-20");
    await server.settle();
    const expected = [LATE, backwards("2026-11-20")];
    expect((await preview("2026-11-03")).body.data.classification.warnings).toEqual(expected);
    expect(await warningsOf("2026-11-03")).toEqual(expected);
    await server.settle();
    expect(await warningsOf("2026-11-04")).toEqual([LATE]);
    const { backwards: found, holes } = await auditNumbering(server.appliance, { mode: "test" });
    expect(holes).toEqual([]);
    expect(found).toEqual([
      {
        supplier: "123456783",
        branch: 0,
        type: "5.2",
        mode: "test",
        series: "PIM",
        number: 2,
        issue_date: "2026-11-03",
        previous: "2026-11-20",
      },
    ]);
  });
});

describe("in the plain sandbox", () => {
  beforeEach(async () => {
    server = await openServer();
  });

  test("dates get no warning", async () => {
    await issue("2026-11-20");
    await server.settle();
    expect(await warningsOf("2026-11-03")).toEqual([]);
  });

  test("documents of a closed period are refused, in previews and credit notes too", async () => {
    const settings = `/api/v1/merchants/${server.merchant}/settings`;
    const original = await server.issued();
    await server.request("PUT", settings, { body: { closed_until: "2026-11-20" } });
    expect((await server.read(settings)).closed_until).toBe("2026-11-20");
    const refusal = {
      code: "validation_failed",
      message:
        "document.issue_date: must be after 2026-11-20, until which the merchant's books are closed (closed_until in its settings)",
    };
    expect(await issue("2026-11-20")).toMatchObject({ status: 400, body: refusal });
    expect(await preview("2026-11-03")).toMatchObject({
      status: 400,
      body: { message: refusal.message.replace("document.", "") },
    });
    const credit = `${DOCUMENTS}/${original.id}/credit`;
    expect((await server.post(credit, { issue_date: "2026-11-19" })).status).toBe(400);
    expect((await server.post(credit, {})).status).toBe(201);
    expect((await issue("2026-11-21")).status).toBe(201);
    await server.request("PUT", settings, { body: { closed_until: null } });
    expect((await issue("2026-11-20")).status).toBe(201);
  });

  test("the page of reports closes a merchant's month and opens it again", async () => {
    const visitor = await signedIn(server);
    const page = () => visitor.get("/console/reports?from=2026-10-01&to=2026-10-31");
    expect((await page()).html).toContain("Close the books until 31 Oct 2026");
    const form = { merchant: server.merchant, next: "/console/reports" };
    await visitor.post("/console/reports/close", { ...form, until: "2026-10-31" });
    expect((await page()).html).toContain("closed until 31 Oct 2026");
    expect((await page()).html).not.toContain("Close the books until 31 Oct 2026");
    expect((await issue("2026-10-31")).status).toBe(400);
    await visitor.post("/console/reports/close", { ...form, until: "" });
    expect((await issue("2026-10-31")).status).toBe(201);
    // The current month is not over.
    expect((await visitor.get("/console/reports?from=2026-11-01&to=2026-11-30")).html).not.toContain(
      "Close the books",
    );
  });
});
