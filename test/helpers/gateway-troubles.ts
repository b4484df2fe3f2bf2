/** What a gateway does to a request or to its answer. `arrives: false` keeps the request from the authority. */
import type { ServerResponse } from "node:http";

export type Trouble =
  /** The connection ends without an answer. */
  | { kind: "cut"; arrives?: boolean }
  /** No answer ever comes, the connection stays. */
  | { kind: "hold"; arrives?: boolean }
  /** The connection ends, and the request arrives when it is delivered. */
  | { kind: "late" }
  /** Only the first documents of a message arrive; the answer tells of those, or does not come. */
  | { kind: "part"; count: number; answers: boolean }
  /** Half of the answer, and the connection ends. */
  | { kind: "half"; arrives?: boolean }
  /** Another status, another text: what stands before the application, or breaks behind it. */
  | { kind: "status"; status: number; headers?: Record<string, string>; body?: string; arrives?: boolean }
  /** A whole answer of 200 whose text is another one. */
  | { kind: "changed"; change: Change; arrives?: undefined };

export type Change =
  /** The responses come in the reverse order and name no index. */
  | "unindexed"
  /** Every response comes twice. */
  | "doubled"
  /** Every uid is another one. */
  | "foreign"
  /** Success, and the MARKs are missing. */
  | "markless"
  /** Inside two `<string>` elements, behind a byte order mark. */
  | "wrapped twice"
  /** No elements at all. */
  | "blank";

export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

type Answering = Extract<Trouble, { kind: "half" | "status" | "changed" }>;

/** `reply` is what the authority answered; undefined where the request did not arrive. */
export function brokenAnswer(response: ServerResponse, trouble: Answering, reply: Reply | undefined): void {
  const body = reply?.body ?? "<ResponseDoc></ResponseDoc>";
  switch (trouble.kind) {
    case "status":
      return sendReply(response, {
        status: trouble.status,
        headers: { "content-type": "text/html", ...trouble.headers },
        body: trouble.body ?? "<html><body>gateway</body></html>",
      });
    case "changed":
      return sendReply(response, {
        status: 200,
        headers: { "content-type": "application/xml" },
        body: CHANGES[trouble.change](body),
      });
    case "half": {
      response.writeHead(200, {
        "content-type": "application/xml",
        "content-length": String(Buffer.byteLength(body)),
      });
      // Once the first half is out, so that it is the answer that ends and not the question.
      response.write(body.slice(0, Math.floor(body.length / 2)), () => response.destroy());
    }
  }
}

export function sendReply(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, headers);
  response.end(body);
}

const RESPONSE = /<response>.*?<\/response>/gs;

function mapResponses(body: string, map: (responses: readonly string[]) => readonly string[]): string {
  const responses = body.match(RESPONSE) ?? [];
  const start = body.indexOf("<response>");
  if (start === -1) return body;
  return `${body.slice(0, start)}${map(responses).join("")}</ResponseDoc>`;
}

function wrap(text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `<string xmlns="http://schemas.microsoft.com/2003/10/Serialization/">${escaped}</string>`;
}

const CHANGES: Readonly<Record<Change, (body: string) => string>> = {
  unindexed: (body) =>
    mapResponses(body, (all) => all.toReversed().map((one) => one.replace(/<index>\d+<\/index>/, ""))),
  doubled: (body) => mapResponses(body, (all) => all.flatMap((one) => [one, one])),
  foreign: (body) => body.replaceAll(/<invoiceUid>\w+/g, `<invoiceUid>${"A".repeat(40)}`),
  markless: (body) => body.replaceAll(/<invoiceMark>\d+<\/invoiceMark>/g, ""),
  "wrapped twice": (body) => `\ufeff${wrap(wrap(body))}`,
  blank: () => " \r\n",
};

/** The message with its first invoices alone. */
export function firstInvoices(body: string, count: number): string {
  let seen = 0;
  return body.replaceAll(/<invoice>.*?<\/invoice>/gs, (invoice) => {
    seen += 1;
    return seen <= count ? invoice : "";
  });
}
