/** Ways in which a gateway disturbs a request or its response, beside the faults of `fake-registry/faults.ts`. */
export type Trouble =
  /** Something else happens before the request arrives. */
  | { kind: "meanwhile"; does(): Promise<unknown> }
  /** The connection ends, and the request arrives later. */
  | { kind: "late" }
  /** Another status and body from a proxy, and the request does not arrive. */
  | { kind: "status"; status: number; headers?: Record<string, string>; body?: string }
  /** A complete 200 with a changed body. */
  | { kind: "changed"; change: Change };

export const CHANGE_KINDS = [
  /** The responses are in reverse order, without an index. */
  "unindexed",
  /** Every response is repeated. */
  "doubled",
  /** Every uid is replaced. */
  "foreign",
  /** Success without MARKs. */
  "markless",
  /** Inside two `<string>` elements, after a byte order mark. */
  "wrapped twice",
  /** White space only. */
  "blank",
] as const;

export type Change =
  | (typeof CHANGE_KINDS)[number]
  /** Every response has the MARK of the first. */
  | "one MARK";

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

const MARK = /<invoiceMark>\d+<\/invoiceMark>/g;

const CHANGES: Readonly<Record<Change, (body: string) => string>> = {
  unindexed: (body) =>
    mapResponses(body, (all) => all.toReversed().map((one) => one.replace(/<index>\d+<\/index>/, ""))),
  doubled: (body) => mapResponses(body, (all) => all.flatMap((one) => [one, one])),
  foreign: (body) => body.replaceAll(/<invoiceUid>\w+/g, `<invoiceUid>${"A".repeat(40)}`),
  markless: (body) => body.replaceAll(MARK, ""),
  "wrapped twice": (body) => `\ufeff${wrap(wrap(body))}`,
  blank: () => " \r\n",
  "one MARK"(body) {
    const [first = ""] = body.match(MARK) ?? [];
    return body.replaceAll(MARK, first);
  },
};

/** The answer as it arrives. */
export function changeAnswer(change: Change, body: string): string {
  return CHANGES[change](body);
}

/** The message with only its first invoices. */
export function firstInvoices(body: string, count: number): string {
  let seen = 0;
  return body.replaceAll(/<invoice>.*?<\/invoice>/gs, (invoice) => {
    seen += 1;
    return seen <= count ? invoice : "";
  });
}
