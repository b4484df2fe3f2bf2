/** Sends raw bytes to a server and reads the response. */
import { connect } from "node:net";

export interface RawAnswer {
  status: number;
  headers: Headers;
  body: string;
  /** Everything received. */
  text: string;
}

/** How long a silent connection stays open: the server may be waiting for more of a request. */
const PATIENCE_MS = 150;

/**
 * Sends the chunks over a new connection and reads to its end, which the client causes once the server is silent.
 * Undefined if no response came, or if the client left before it could.
 */
export function sendRaw(
  url: string,
  chunks: readonly Buffer[],
  cut: boolean,
): Promise<RawAnswer | undefined> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect(Number(port), hostname);
    let patience: NodeJS.Timeout | undefined;
    const wait = () => {
      clearTimeout(patience);
      patience = setTimeout(() => socket.end(), PATIENCE_MS);
    };
    socket.on("connect", () => {
      for (const chunk of chunks) socket.write(chunk);
      if (cut) socket.destroy();
      else wait();
    });
    socket.on("data", (chunk: Buffer) => {
      received.push(chunk);
      wait();
    });
    socket.on("end", () => socket.end());
    // Data still being written when the server closes causes a reset.
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "ECONNRESET" && error.code !== "EPIPE") reject(error);
    });
    socket.on("close", () => {
      clearTimeout(patience);
      resolve(received.length === 0 ? undefined : readAnswer(Buffer.concat(received).toString("latin1")));
    });
  });
}

function readAnswer(text: string): RawAnswer {
  const final = text.replace(/^(?:HTTP\/1\.1 100 Continue\r\n\r\n)+/, "");
  const end = final.indexOf(`\r\n\r\n`);
  const [statusLine = "", ...lines] = final.slice(0, end === -1 ? undefined : end).split("\r\n");
  const headers = new Headers(
    lines.map((line): [string, string] => [
      line.slice(0, line.indexOf(":")),
      line.slice(line.indexOf(":") + 1),
    ]),
  );
  const rest = end === -1 ? "" : final.slice(end + 4);
  const length = Number(headers.get("content-length") ?? rest.length);
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1] ?? "999"),
    headers,
    body: Buffer.from(rest.slice(0, length), "latin1").toString(),
    text,
  };
}
