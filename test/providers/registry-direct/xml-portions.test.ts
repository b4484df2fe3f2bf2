/** XML is read as the library reads it, in portions, without holding up everything else. */
import fc from "fast-check";
import { XMLParser } from "fast-xml-parser";
import { expect, test } from "vitest";
import type { XmlElement } from "../../../src/providers/registry-direct/answers.ts";
import { classifyResponse } from "../../../src/providers/registry-direct/client.ts";
import { readPortions } from "../../../src/providers/registry-direct/xml.ts";
import { readXml } from "./bench.ts";

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
    fc.tuple(name, tie("nodes")).map(([given, inside]) => `<${given} x="/b>">${inside}</${given} >`),
  ),
  nodes: fc.array(tie("node"), { maxLength: 12 }).map((all) => all.join("")),
}));
const document = nodes.map((inside) => `<?xml version="1.0"?><r xmlns:n="u">${inside}</r>`);
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  removeNSPrefix: true,
  parseTagValue: false,
  trimValues: false,
  htmlEntities: true,
  cdataPropName: "#cdata",
});

function readByLibrary(tag: string, content: unknown): XmlElement {
  const element = { name: tag, children: [] as XmlElement[], text: "" };
  for (const node of content as Record<string, unknown>[])
    for (const [key, value] of Object.entries(node)) {
      if (key === "#text") element.text += String(value);
      else if (key === "#cdata") element.text += (value as [{ "#text": string }])[0]["#text"];
      else element.children.push(readByLibrary(key, value));
    }
  return element;
}

test("well-formed XML has the elements and texts that the library finds", () => {
  fc.assert(
    fc.property(document, (text) => {
      expect(readXml(text)).toEqual(readByLibrary("", parser.parse(text, true)).children[0]);
    }),
  );
});

test("the length of the portions makes no difference", () => {
  fc.assert(
    fc.property(document, fc.integer({ min: 1, max: 200 }), (text, length) => {
      const reading = readPortions(text, length);
      let step = reading.next();
      while (!step.done) step = reading.next();
      expect(step.value).toEqual(readXml(text));
    }),
  );
});

test("XML that was cut off is rejected, wherever it was cut", () => {
  fc.assert(
    fc.property(document, fc.nat(), (text, at) => {
      expect(readXml(text.slice(0, at % text.length))).toBeUndefined();
    }),
  );
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
