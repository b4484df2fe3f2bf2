/** Raw HTTP requests, valid, truncated or corrupted. */
import { integerUpTo, MARKER, pick, type Random } from "./malformed-requests.ts";

export interface RawRequest {
  name: string;
  /** Written one after the other. */
  chunks: Buffer[];
  /** The client disconnects at once instead of waiting for a response. */
  cut: boolean;
}

export interface RawOptions {
  key: string;
  /** The API's key. */
  paths: readonly string[];
}

const LINE = "\r\n";

function request(line: string, headers: readonly string[], body = ""): Buffer {
  return Buffer.from([line, ...headers, "", body].join(LINE), "latin1");
}

type Maker = (random: Random, path: string, headers: readonly string[]) => Buffer;

const JSON_TYPE = "Content-Type: application/json";

/** `headers` are those of a valid request. */
const MAKERS: Readonly<Record<string, Maker>> = {
  "random bytes": (random) =>
    Buffer.from(Array.from({ length: integerUpTo(random, 600) }, () => integerUpTo(random, 256))),
  "a bad request line": (random, path, headers) =>
    request(
      pick(random, [
        `GET ${path}`,
        `GET  ${path}  HTTP/1.1`,
        `GET ${path} HTTP/9.9`,
        `GET ${path} HTTP/1.`,
        `${MARKER} ${path} HTTP/1.1`,
        `GET ${path}\0 HTTP/1.1`,
        `GET ${path}#${MARKER} HTTP/1.1`,
        `GET \u00ff\u00fe HTTP/1.1`,
        `get ${path} http/1.1`,
        " ",
        "GET",
        `G\tET ${path} HTTP/1.1`,
      ]),
      headers,
    ),
  "an odd target": (random, _path, headers) =>
    request(
      `GET ${pick(random, [
        "*",
        "//",
        "http://other.example/api/v1/merchants",
        "http://[::1",
        "/api/v1/../../healthz",
        "/api/v1/documents/..%2f..%2f",
        "/api/v1/%2e%2e/merchants",
        "/\\..\\api",
        "?",
        "/api/v1/documents?%",
        `/api/v1/documents/${"%41".repeat(2000)}`,
        "/api/v1/documents/%00%0d%0aSet-Cookie:a=b",
        "javascript:alert(1)",
        "/sandbox/documents/%zz",
        "/connect/%00",
        "/connect/..%2f",
        "/metrics",
        "/readyz?%ff",
      ])} HTTP/1.1`,
      headers,
    ),
  "another method": (random, path, headers) =>
    request(
      `${pick(random, ["TRACE", "OPTIONS", "CONNECT", "HEAD", "PROPFIND", "DELETE", "PURGE", "QUERY"])} ${path} HTTP/1.1`,
      headers,
    ),
  "huge headers": (random, path, headers) =>
    request(`GET ${path} HTTP/1.1`, [
      ...headers,
      `X-Huge: ${MARKER.repeat(100 + integerUpTo(random, 4000))}`,
    ]),
  "many headers": (random, path, headers) =>
    request(`GET ${path} HTTP/1.1`, [
      ...headers,
      ...Array.from({ length: integerUpTo(random, 2500) }, (_, at) => `h${at}: ${at}`),
    ]),
  "a bad header": (random, path, headers) =>
    request(`GET ${path} HTTP/1.1`, [
      ...headers,
      pick(random, [
        MARKER,
        `: ${MARKER}`,
        `Bad Name: ${MARKER}`,
        `X-Null: a\0b`,
        " folded: line",
        "Host: second.example",
        `X-Request-Id: \u0001${MARKER}`,
        "Content-Length: x",
        "Content-Length: -5",
        "Transfer-Encoding: gzip",
        "Upgrade: websocket\r\nConnection: Upgrade",
        "Upgrade: h2c\r\nHTTP2-Settings: AAA",
        "Expect: 200-nothing",
        "Connection: keep-alive, close, x-request-id",
      ]),
    ]),
  "a length that lies": (random, path, headers) =>
    request(
      `POST ${path} HTTP/1.1`,
      [...headers, JSON_TYPE, "Idempotency-Key: raw", `Content-Length: ${integerUpTo(random, 40)}`],
      `{"a":"${MARKER}"}`,
    ),
  "a huge length": (_random, path, headers) =>
    request(
      `POST ${path} HTTP/1.1`,
      [...headers, JSON_TYPE, "Idempotency-Key: raw", "Content-Length: 99999999999999999999"],
      "{}",
    ),
  "bad chunks": (random, path, headers) =>
    request(
      `POST ${path} HTTP/1.1`,
      [...headers, JSON_TYPE, "Idempotency-Key: raw", "Transfer-Encoding: chunked"],
      pick(random, [
        "zz\r\n{}\r\n0\r\n\r\n",
        "-1\r\n",
        "ffffffffffffffffff\r\n{}",
        "2;ext=\0\r\n{}\r\n0\r\n\r\n",
        "2\r\n{}}}",
        "0\r\nTrailer: x\r\n\r\n",
        "5\r\n{}\r\n",
      ]),
    ),
  "two lengths": (_random, path, headers) =>
    request(
      `POST ${path} HTTP/1.1`,
      [...headers, JSON_TYPE, "Content-Length: 2", "Transfer-Encoding: chunked"],
      "0\r\n\r\n",
    ),
  "wants to continue": (_random, path, headers) =>
    request(
      `POST ${path} HTTP/1.1`,
      [...headers, JSON_TYPE, "Idempotency-Key: raw", "Expect: 100-continue", "Content-Length: 2"],
      "{}",
    ),
  "a body on a get": (_random, path, headers) =>
    request(`GET ${path} HTTP/1.1`, [...headers, `Content-Length: ${MARKER.length}`], MARKER),
  "bare line feeds": (_random, path, headers) =>
    Buffer.from([`GET ${path} HTTP/1.1`, ...headers, "", ""].join("\n")),
  "no host": (_random, path, headers) => request(`GET ${path} HTTP/1.1`, headers.slice(1)),
  "an old version": (_random, path, headers) => request(`GET ${path} HTTP/1.0`, headers.slice(1)),
  "another protocol": (random) =>
    pick(random, [
      Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
      Buffer.from([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 3]),
      Buffer.from("SSH-2.0-x\r\n"),
      Buffer.from("\r\n\r\n\r\n"),
      Buffer.from("HELO example\r\n"),
      Buffer.alloc(100),
    ]),
  "a good request, bent": (random, path, headers) => {
    const bytes = request(`POST ${path} HTTP/1.1`, [...headers, JSON_TYPE, "Content-Length: 2"], "{}");
    for (let count = 0; count < 3; count += 1)
      bytes[integerUpTo(random, bytes.length)] = integerUpTo(random, 256);
    return bytes;
  },
};

const NAMES = Object.keys(MAKERS);

/** Returns `count` requests: each kind in turn, whole, in pieces, or truncated. */
export function rawRequests(random: Random, count: number, { key, paths }: RawOptions): RawRequest[] {
  return Array.from({ length: count }, (_, index) => {
    const name = NAMES[index % NAMES.length]!;
    const path = pick(random, paths).replaceAll(/\{\w+\}/g, "mer_0000000000000000000000");
    const headers = [
      "Host: here",
      ...(random() < 0.8 ? [`Authorization: Bearer ${key}`] : []),
      "Connection: close",
    ];
    const whole = MAKERS[name]!(random, path, headers);
    const cut = random() < 0.15;
    const bytes = cut || random() < 0.1 ? whole.subarray(0, integerUpTo(random, whole.length + 1)) : whole;
    const at = integerUpTo(random, bytes.length + 1);
    return { name, chunks: random() < 0.3 ? [bytes.subarray(0, at), bytes.subarray(at)] : [bytes], cut };
  });
}
