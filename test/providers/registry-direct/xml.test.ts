/** Parses and writes XML: incomplete documents are rejected, and text survives both ways. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allAt, find, textAt, toJson } from "../../../src/providers/registry-direct/answers.ts";
import { writeXml } from "../../../src/providers/registry-direct/xml.ts";
import { readXml } from "./bench.ts";

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
  ["a document type", '<!DOCTYPE a [<!ENTITY x "y">]><a>1</a>'],
  ["an entity that is none", "<a>&nope;</a>"],
  ["a number beyond all characters", "<a>&#x110000;</a>"],
  ["depth beyond all sense", `${"<a>".repeat(200)}${"</a>".repeat(200)}`],
])("rejects anything but one well-formed document: %s", (_, text) => {
  expect(readXml(text)).toBeUndefined();
});

describe("text", () => {
  test.each([
    ["19 digits, which no number holds", "<a>9223372036854775807</a>", "9223372036854775807"],
    ["leading zeros", "<a>007</a>", "007"],
    ["named entities", "<a>&lt;&amp;&gt;&quot;&apos;</a>", "<&>\"'"],
    ["numbered entities", "<a>&#913;&#x3a9;&#13;</a>", "ΑΩ\r"],
    ["an escaped entity, decoded once", "<a>&amp;lt;</a>", "&lt;"],
    ["a numbered ampersand, decoded once", "<a>&#38;amp;</a>", "&amp;"],
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
    expect(allAt(root, "b").map(({ text }) => text)).toEqual([" 1 ", "2"]);
    expect(textAt(root, "d", "e")).toBe("3");
  });

  test("have no text if they are empty or absent", () => {
    expect([textAt(root, "b"), textAt(root, "c"), textAt(root, "f", "g")]).toEqual(["1", null, null]);
  });

  test("convert to JSON, repeated ones as arrays", () => {
    expect(toJson(root)).toEqual({ b: ["1", "2"], c: "", d: { e: "3" } });
  });

  test("may have a name that is meant for JavaScript", () => {
    expect(JSON.stringify(toJson(readXml("<a><__proto__>1</__proto__></a>")!))).toBe('{"__proto__":"1"}');
  });
});

test("a tree is written in order with its attributes and with escaping", () => {
  const tree = { A: { "@_xmlns": "u", b: ["1", "2"], "i:c": { d: `<"&'>` }, e: "" } };
  expect(writeXml(tree)).toBe(
    '<?xml version="1.0" encoding="UTF-8"?><A xmlns="u"><b>1</b><b>2</b><i:c><d>&lt;&quot;&amp;&apos;&gt;</d></i:c><e></e></A>',
  );
});

test("an element that occurs very often is parsed in a single pass", () => {
  const element = readXml(`<r>${"<e>1</e>".repeat(200_000)}</r>`)!;
  // Copying earlier parts took longer than a test may.
  expect((toJson(element) as { e: string[] }).e).toHaveLength(200_000);
});
