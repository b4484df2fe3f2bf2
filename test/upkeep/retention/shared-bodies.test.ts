/** Parts of a message about one customer are erased, those about others are kept. */
import { expect, test } from "vitest";
import { parseSearchedNumber } from "../../../src/upkeep/retention/tax-number-search.ts";
import { withoutPartsAbout } from "../../../src/upkeep/retention/shared-bodies.ts";

const searched = parseSearchedNumber("094012834");

const exchangeOf = (body: unknown, answer: unknown) => ({
  request: { method: "POST", url: "https://x.example/send", headers: {}, body },
  response: { status: 200, headers: {}, body: answer },
});

const invoice = (vat: string) =>
  `<invoice><counterpart><vat>${vat}</vat></counterpart><line><n>1</n></line><line><n>2</n></line></invoice>`;

test("an XML message loses the element of one customer", () => {
  const xml = (...parts: string[]) => `<?xml version="1.0"?><doc><head/>${parts.join("")}</doc>`;
  const answer = "<answers><one><i>1</i></one><one><i>2</i></one></answers>";
  expect(
    withoutPartsAbout(searched, exchangeOf(xml(invoice("094012834"), invoice("123456783")), answer)),
  ).toEqual(exchangeOf(xml("<!-- [erased] -->", invoice("123456783")), answer));
});

test("a JSON message loses the element of one customer, with everything in it", () => {
  const about = (code: string) => ({ customer: { name: "x", parties: [{ code }, { code: "1" }] } });
  expect(
    withoutPartsAbout(
      searched,
      exchangeOf({ documents: [about("EL094012834"), about("123456783")] }, [
        { error: "ΑΦΜ 094 012 834" },
        { ok: true },
      ]),
    ),
  ).toEqual(exchangeOf({ documents: ["[erased]", about("123456783")] }, ["[erased]", { ok: true }]));
});

test.each([
  ["a message about one document", invoice("094012834")],
  ["XML that is not well-formed", `<a><b>094012834</b><b>1</a></b>`],
  ["the number outside the parts", { to: "094012834", documents: [1, 2] }],
])("cannot be divided: %s", (_what, body) => {
  expect(withoutPartsAbout(searched, exchangeOf(body, null))).toBeUndefined();
});
