/** Long XML is read in portions: with the same result, and without holding up everything else. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { classifyResponse } from "../../../src/providers/registry-direct/client.ts";
import { readXml, readXmlInPortions } from "../../../src/providers/registry-direct/xml.ts";

const TEXTS = [
  "1.00",
  " ",
  "\r\n",
  "&amp;",
  "&#913;&lt;",
  "Αθήνα",
  "]]",
  "😀",
  "x".repeat(70),
  "&gt;\r\n".repeat(20),
];
const MARKUP = [
  "<!-- </a><b> -->",
  "<?say <a>?>",
  "<![CDATA[</a>&lt;]]>",
  `<![CDATA[${"]\r\n".repeat(40)}]]>`,
];

const name = fc.constantFrom("a", "b", "n:c", "longer-name");
const { nodes } = fc.letrec<{ node: string; nodes: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(...TEXTS),
    fc.constantFrom(...MARKUP),
    name.map((given) => `<${given} x='>"' y = "/"/>`),
    fc.tuple(name, tie("nodes")).map(([given, inside]) => `<${given}>${inside}</${given}>`),
    fc.tuple(name, tie("nodes")).map(([given, inside]) => `<${given} x="</b>">${inside}</${given} >`),
  ),
  nodes: fc.array(tie("node"), { maxLength: 12 }).map((all) => all.join("")),
}));
const document = nodes.map((inside) => `<?xml version="1.0"?><r xmlns:n="u">${inside}</r>`);
/** Longer than each tag of the documents. */
const portionLength = fc.integer({ min: 64, max: 200 });

describe("in portions", () => {
  test("well-formed XML has the same elements and texts", async () => {
    await fc.assert(
      fc.asyncProperty(document, portionLength, async (text, length) => {
        const whole = readXml(text);
        expect(whole).toBeDefined();
        expect(await readXmlInPortions(text, length)).toEqual(whole);
      }),
    );
  });

  const INSERTED = [
    "",
    "<",
    ">",
    "&",
    "</a>",
    "<b>",
    "]]>",
    "<!--",
    "-->",
    '"',
    "/",
    "<a/>",
    " ",
    "?>",
    "<![CDATA[",
  ];
  const change = fc.tuple(fc.nat(), fc.nat({ max: 6 }), fc.constantFrom(...INSERTED));

  test("damaged XML is rejected, or has the elements and texts that it has in one piece", async () => {
    await fc.assert(
      fc.asyncProperty(document, change, portionLength, async (text, [at, removed, inserted], length) => {
        const place = at % text.length;
        const damaged = text.slice(0, place) + inserted + text.slice(place + removed);
        // The library reads some that is not well-formed, such as `<!b>`.
        expect([undefined, readXml(damaged)]).toContainEqual(await readXmlInPortions(damaged, length));
      }),
    );
  });

  const LONG = "<e>1</e>".repeat(50);

  test.each([
    ["a document type behind the beginning", `<a>${LONG}<!DOCTYPE a></a>`],
    ["a document type in a text", `<a><![CDATA[${"x".repeat(90)}<!doctype a>]]></a>`],
    ["elements behind the root", `<a>${LONG}</a><b>${LONG}</b>`],
    ["text behind the root", `<a>${LONG}</a>${"x".repeat(300)}`],
    ["endless space in front of the root", `<!-- -->${" ".repeat(500)}<a>${LONG}</a>`],
    ["a tag longer than a portion", `<a>${LONG}<b x="${"x".repeat(150)}"/></a>`],
    ["a comment longer than a portion", `<a>${LONG}<!-- ${"x".repeat(150)} --></a>`],
    ["an entity longer than a portion", `<a>${LONG}&#${"0".repeat(150)}65;</a>`],
    ["a CDATA section without its end", `<a>${LONG}<![CDATA[${"x".repeat(300)}</a>`],
    ["more end tags than elements", `<a>${LONG}</a></a>${LONG}`],
    ["depth beyond all sense", `${"<a>".repeat(200)}${"</a>".repeat(200)}`],
  ])("rejects %s", async (_, text) => {
    expect(await readXmlInPortions(text, 100)).toBeUndefined();
  });
});

/** How often other work gets a turn until `work` is done. */
async function countTurns(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await work.finally(() => (isDone = true));
  return turns;
}

const LISTING = `<RequestedDoc>${"<invoice><uid>A</uid><mark>400001000000001</mark></invoice>".repeat(8000)}</RequestedDoc>`;
const WRAPPED = `<string>${LISTING.replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</string>`;

test.each([
  ["a long listing", LISTING],
  ["one inside a text element", WRAPPED],
  ["one inside a CDATA section", `<string><![CDATA[${LISTING}]]></string>`],
])("other work goes on while %s is read", async (_, body) => {
  const answer = { kind: "answered", status: 200, headers: {}, body, bytes: new Uint8Array() } as const;
  let reply: Awaited<ReturnType<typeof classifyResponse>> | undefined;
  const reading = classifyResponse(answer, 0).then((read) => (reply = read));
  // At least one turn for each 64 KB.
  expect(await countTurns(reading)).toBeGreaterThan((body.length / 65_536) * 0.9);
  expect(reply).toMatchObject({ kind: "read", root: { name: "RequestedDoc" } });
});
