/**
 * Parses and writes XML: incomplete documents are rejected, and text survives both ways. Long XML is read in portions, with the same
 * result and without holding up everything else.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  childrenOf,
  find,
  readXml,
  textAt,
  toJson,
  writeXml,
} from "../../../src/providers/registry-direct/xml.ts";
import { classifyResponse } from "../../../src/providers/registry-direct/status.ts";
import { readXmlInPortions } from "../../../src/providers/registry-direct/xml-portions.ts";

describe("rejects anything but one well-formed document", () => {
  test.each([
    ["nothing", ""],
    ["plain text", "Service Unavailable"],
    ["JSON", '{ "statusCode": 401 }'],
    ["an open element", "<a><b>1</b>"],
    ["an answer that was cut within a tag", "<a><b>1</b"],
    ["crossed elements", "<a><b></a></b>"],
    ["two roots", "<a/><b/>"],
    ["text behind the end", "<a>1</a>more"],
    ["a page of HTML", "<html><br></html>"],
    ["a document type", '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>'],
    ["a name that is meant for JavaScript", "<a><__proto__>1</__proto__></a>"],
    ["depth beyond all sense", `${"<a>".repeat(200)}${"</a>".repeat(200)}`],
  ])("%s", (_, text) => {
    expect(readXml(text)).toBeUndefined();
  });
});

describe("text", () => {
  test.each([
    ["19 digits, which no number holds", "<a>9223372036854775807</a>", "9223372036854775807"],
    ["leading zeros", "<a>007</a>", "007"],
    ["named entities", "<a>&lt;&amp;&gt;&quot;&apos;</a>", "<&>\"'"],
    ["numbered entities", "<a>&#913;&#x3a9;&#13;</a>", "ΑΩ\r"],
    ["an escaped entity, decoded once", "<a>&amp;lt;</a>", "&lt;"],
    ["a numbered ampersand, decoded once", "<a>&#38;amp;</a>", "&amp;"],
    ["an entity that is none", "<a>&nope; &#99999999;</a>", "&nope; &#99999999;"],
    ["a number beyond all characters", "<a>&#x110000;</a>", "&#x110000;"],
    ["a CDATA section as it stands", "<a>x<![CDATA[<b>&lt;]]>y</a>", "x<b>&lt;y"],
    ["a comment between", "<a>1<!-- 2 -->3</a>", "13"],
  ])("%s", (_, xml, text) => {
    expect(readXml(xml)).toEqual({ name: "a", children: [], text });
  });

  test("may have thousands of entities, as in a listing within a text element", () => {
    const text = "<x>1</x>".repeat(5000);
    const escaped = text.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    expect(readXml(`<string>${escaped}</string>`)?.text).toBe(text);
  });

  test("any permitted text is read as it was written", () => {
    // XML parsers read a carriage return as a line feed.
    const character = fc.oneof(
      fc.constantFrom("\t", "\n", "<", "&", ">", "\u{FFFD}"),
      fc.integer({ min: 0x20, max: 0xd7ff }).map((code) => String.fromCodePoint(code)),
      fc.integer({ min: 0x10000, max: 0x10ffff }).map((code) => String.fromCodePoint(code)),
    );
    const text = fc.string({ unit: character, maxLength: 30 });
    fc.assert(
      fc.property(text, text, (first, second) => {
        const root = readXml(writeXml({ a: { "@_b": first, c: [first, second], d: { e: second } } }));
        expect(root?.children.map((child) => child.text)).toEqual([first, second, ""]);
        expect(find(root!, "d", "e")?.text).toBe(second);
      }),
    );
  });
});

describe("elements", () => {
  const root = readXml(
    "<?xml version='1.0'?><x:a xmlns:x='u'><y:b> 1 </y:b><c/><b>2</b><d><e>3</e></d></x:a>",
  )!;

  test("are found by their local names", () => {
    expect(root.name).toBe("a");
    expect(childrenOf(root, "b").map(({ text }) => text)).toEqual([" 1 ", "2"]);
    expect(textAt(root, "d", "e")).toBe("3");
  });

  test("have no text if they are empty or absent", () => {
    expect([textAt(root, "b"), textAt(root, "c"), textAt(root, "f", "g")]).toEqual(["1", null, null]);
  });

  test("convert to JSON, repeated ones as arrays", () => {
    expect(toJson(root)).toEqual({ b: ["1", "2"], c: "", d: { e: "3" } });
  });
});

test("a tree is written in order with its attributes and with escaping", () => {
  const tree = { A: { "@_xmlns": "u", b: ["1", "2"], "i:c": { d: `<"&'>` }, e: "" } };
  expect(writeXml(tree)).toBe(
    '<?xml version="1.0" encoding="UTF-8"?><A xmlns="u"><b>1</b><b>2</b><i:c><d>&lt;&quot;&amp;&apos;&gt;</d></i:c><e></e></A>',
  );
});

test("an element that occurs ten thousand times is parsed in a single pass", () => {
  const element = readXml(`<r>${"<e>1</e>".repeat(10_000)}</r>`)!;
  const startedAt = performance.now();
  const { e } = toJson(element) as { e: string[] };
  expect(e).toHaveLength(10_000);
  // A single pass takes milliseconds; copying earlier parts took seconds and blocked everything else.
  expect(performance.now() - startedAt).toBeLessThan(500);
});

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
