/** What was sent and received, as `requests show` and `calls show` print it. */
import { expect, test } from "vitest";
import { formatExchange, type LoggedExchange } from "../../commands/ui/log-view.ts";

function exchange(change: Partial<LoggedExchange>): LoggedExchange {
  return { request: null, response: null, bodies_purged_at: null, bodies_unreadable: false, ...change };
}

test("shows both sides, bodies indented", () => {
  const text = formatExchange(
    exchange({
      request: { method: "POST", url: "/a?b=c", headers: { accept: "*/*" }, body: { a: [1] } },
      response: { status: 201, headers: {}, body: "plain\ntext" },
    }),
  );
  expect(text).toBe(
    [
      "request",
      "  POST /a?b=c",
      "  accept: */*",
      "    {",
      '      "a": [',
      "        1",
      "      ]",
      "    }",
      "response",
      "  201",
      "    plain",
      "    text",
      "",
    ].join("\n"),
  );
});

test.each<{ why: string; change: Partial<LoggedExchange> }>([
  { why: "not stored: the content of a login never is", change: { bodies_withheld: true } },
  {
    why: "purged at 2026-01-01 02:00:00",
    change: { bodies_withheld: false, bodies_purged_at: "2026-01-01T00:00:00.000Z" },
  },
  { why: "unreadable: encrypted with another master key, or damaged", change: { bodies_unreadable: true } },
  { why: "none", change: {} },
])("explains why there is no content: $why", ({ why, change }) => {
  expect(formatExchange(exchange(change))).toBe(`request\n  ${why}\nresponse\n  ${why}\n`);
});

test("says that a side was omitted, and why there is no response", () => {
  const request = {
    method: "GET",
    url: "https://a.example",
    headers: {},
    body: null,
    error: "no whole answer within the timeout",
  };
  expect(formatExchange(exchange({ request }))).toBe(
    "request\n  GET https://a.example\n  no response: no whole answer within the timeout\nresponse\n  none\n",
  );
  expect(formatExchange(exchange({ request: { omitted: "70000 bytes without the body" } }))).toContain(
    "request\n  omitted: 70000 bytes without the body\n",
  );
});

test.each([
  { body: "<a><b>1</b><c/></a>", lines: ["<a>", "  <b>1</b>", "  <c/>", "</a>"] },
  {
    body: '<?xml version="1.0"?><a x="1"><b></b><!-- n --><c><d>x</d></c></a>',
    lines: [
      '<?xml version="1.0"?>',
      '<a x="1">',
      "  <b>",
      "  </b>",
      "  <!-- n -->",
      "  <c>",
      "    <d>x</d>",
      "  </c>",
      "</a>",
    ],
  },
  { body: "<a>\n <b>1</b>\n <c/></a>", lines: ["<a>", " <b>1</b>", " <c/></a>"] },
  { body: "<!doctype html><p>x<br>y</p>", lines: ["<!doctype html><p>x<br>y</p>"] },
  { body: "1 < 2 > 0", lines: ["1 < 2 > 0"] },
])("indents XML and leaves other text as it came: $body", ({ body, lines }) => {
  const text = formatExchange(exchange({ response: { status: 200, headers: {}, body } }));
  expect(text).toBe(`request\n  none\nresponse\n  200\n${lines.map((line) => `    ${line}\n`).join("")}`);
});

test("formats a body of line breaks quickly", () => {
  const startedAt = performance.now();
  const body = `<a></a>${"\n".repeat(60_000)}`;
  formatExchange(exchange({ response: { status: 200, headers: {}, body } }));
  // A regular expression that restarted at every line break took 15 seconds.
  expect(performance.now() - startedAt).toBeLessThan(1000);
});

test("removes control characters", () => {
  const nasty = "a\u001b[2Jb\u009b31m\u202ec";
  const text = formatExchange(
    exchange({
      request: { method: "GET", url: nasty, headers: { x: nasty }, body: nasty },
      response: { status: 200, headers: {}, body: { [nasty]: nasty } },
    }),
  );
  // oxlint-disable-next-line no-control-regex -- the test checks their absence
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
});
