/** HTTP clients of several kinds that send a body of a given size and report the answer. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import undici from "undici";

export type Framing = "length" | "chunked";

export interface LargeBody {
  url: string;
  headers: Record<string, string>;
  bytes: number;
  framing: Framing;
  /** For the files of other programs. */
  folder: string;
}

export interface LargeBodyAnswer {
  status: number;
  body: string;
}

type Client = (sent: LargeBody) => Promise<LargeBodyAnswer>;

const run = promisify(execFile);

function bodyOf({ bytes }: LargeBody): string {
  return `{"a":"${"x".repeat(bytes - 8)}"}`;
}

/** As a program would stream a file. */
function piecesOf(sent: LargeBody): Iterable<Buffer> {
  const whole = Buffer.from(bodyOf(sent));
  const pieces = [];
  for (let at = 0; at < whole.length; at += 65_536) pieces.push(whole.subarray(at, at + 65_536));
  return pieces;
}

/** Keeps a body from one request to the next. */
async function fileOf(sent: LargeBody): Promise<string> {
  const path = join(sent.folder, `body-${sent.bytes}.json`);
  await writeFile(path, bodyOf(sent));
  return path;
}

const PYTHON = `
import json, sys, urllib.error, urllib.request
url, path, framing, headers = sys.argv[1:]
whole = open(path, "rb").read()
pieces = (whole[at:at + 65536] for at in range(0, len(whole), 65536))
sent = urllib.request.Request(url, data=pieces if framing == "chunked" else whole, headers=json.loads(headers))
try:
    urllib.request.urlopen(sent)
except urllib.error.HTTPError as error:
    print(json.dumps({"status": error.code, "body": error.read().decode()}))
`;

export const LARGE_BODY_CLIENTS: Readonly<Record<string, Client>> = {
  async fetch(sent) {
    const { url, headers, framing } = sent;
    const body = framing === "length" ? bodyOf(sent) : Readable.toWeb(Readable.from(piecesOf(sent)));
    const options = { method: "POST", headers, body, duplex: "half" } as RequestInit;
    const response = await fetch(url, options);
    return { status: response.status, body: await response.text() };
  },
  async "http.request"(sent) {
    const { url, headers, framing } = sent;
    const sending = request(url, { method: "POST", headers });
    // An error before the response rejects this; one after it concerns only the rest of the body.
    const answered = once(sending, "response") as Promise<[IncomingMessage]>;
    sending.on("error", () => undefined);
    if (framing === "length") sending.end(bodyOf(sent));
    else Readable.from(piecesOf(sent)).pipe(sending);
    const [response] = await answered;
    return { status: response.statusCode ?? 0, body: await text(response) };
  },
  async undici(sent) {
    const { url, headers, framing } = sent;
    const body = framing === "length" ? bodyOf(sent) : Readable.from(piecesOf(sent));
    const response = await undici.request(url, { method: "POST", headers, body });
    return { status: response.statusCode, body: await response.body.text() };
  },
  async curl(sent) {
    const { url, headers, framing } = sent;
    const args = Object.entries({
      ...headers,
      ...(framing === "chunked" ? { "Transfer-Encoding": "chunked" } : {}),
    }).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
    const body = `@${await fileOf(sent)}`;
    const { stdout } = await run("curl", [
      "-sS",
      "-w",
      "\n%{http_code}",
      "--data-binary",
      body,
      ...args,
      url,
    ]);
    const end = stdout.lastIndexOf("\n");
    return { status: Number(stdout.slice(end + 1)), body: stdout.slice(0, end) };
  },
  async python3(sent) {
    const path = await fileOf(sent);
    const args = [sent.url, path, sent.framing, JSON.stringify(sent.headers)];
    const { stdout } = await run("python3", ["-c", PYTHON, ...args]);
    return JSON.parse(stdout) as LargeBodyAnswer;
  },
};
