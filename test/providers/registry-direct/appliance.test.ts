/** The adapter within the appliance: the exchange that each document's provider call shows. */
import { beforeEach, expect, test } from "vitest";
import { textAt, readXml } from "../../../src/providers/registry-direct/xml.ts";
import { buildIssueBody } from "../../helpers/appliance.ts";
import { openServer } from "../../helpers/http.ts";
import { openBench, refusal, requestedDoc, responseDoc, success, SYNTAX_ERROR } from "./bench.ts";
import { forEachTest } from "../../helpers/set-up.ts";

const bench = forEachTest(openBench);
const server = forEachTest(() => openServer({ adapters: [bench.adapter] }));
beforeEach(async () => {
  bench.next("RequestTransmittedDocs", requestedDoc([]));
  const credentials = { user_id: "user-of-the-shop", subscription_key: "key-of-the-shop" };
  const connected = await server.post(`/api/v1/merchants/${server.merchant}/connections`, {
    provider: "registry_direct",
    credentials,
  });
  expect(connected.body).toMatchObject({ data: { status: "active" } });
});

async function accept(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    const { body } = await server.post("/api/v1/documents", buildIssueBody(server.merchant));
    ids.push(body.data.id);
  }
  return ids;
}

const see = async (id: string) => (await server.get(`/api/v1/documents/${id}`)).body.data;

/** The provider calls about a document, oldest first, with their bodies. */
async function callsOf(id: string) {
  const { body } = await server.get(`/api/v1/provider_calls?document=${id}&limit=100`);
  const calls = await Promise.all(
    body.data.toReversed().map((call: { id: string }) => server.get(`/api/v1/provider_calls/${call.id}`)),
  );
  return calls.map((call) => call.body.data);
}

/** The numbers in the message that a provider call shows. */
const numbersIn = (message: string) =>
  readXml(message)!.children.map((invoice) => textAt(invoice, "invoiceHeader", "aa"));

const answered = (index: number, mark: string) => success(index, null, mark);

test("a batch is one message, and each document's call shows it", async () => {
  const ids = await accept(3);
  bench.next(
    "SendInvoices",
    responseDoc(answered(1, "401"), refusal(2, "ValidationError", ["102", "α"]), answered(3, "403")),
  );
  await server.settle();
  const documents = await Promise.all(ids.map(see));
  expect(documents.map(({ status, mark }) => mark ?? status)).toEqual(["401", "rejected", "403"]);
  expect(documents[1].error).toMatchObject({
    code: "provider_rejected",
    provider_code: "102",
    provider_message: "α",
  });
  for (const id of ids) {
    const [call, ...more] = await callsOf(id);
    expect(more).toEqual([]);
    expect(numbersIn(call.request.body)).toEqual(["1", "2", "3"]);
    expect(JSON.stringify(call)).not.toMatch(/-of-the-shop/);
  }
});

test("a message rejected as a whole is shown as a separate call, in addition to each document's own send", async () => {
  const ids = await accept(3);
  bench.next("SendInvoices", SYNTAX_ERROR);
  bench.next("SendInvoices", responseDoc(answered(1, "401")));
  bench.next("SendInvoices", SYNTAX_ERROR);
  bench.next("SendInvoices", responseDoc(answered(1, "403")));
  await server.settle();
  const documents = await Promise.all(ids.map(see));
  expect(documents.map(({ status, mark }) => mark ?? status)).toEqual(["401", "rejected", "403"]);
  const shown = await Promise.all(ids.map(callsOf));
  expect(shown.map((calls) => calls.map((call) => numbersIn(call.request.body)))).toEqual([
    [["1", "2", "3"], ["1"]],
    [["2"]],
    [["3"]],
  ]);
});
