/**
 * Fakes the tax authority, the licensed provider and the EU's registry on one port of this machine, for accounts and
 * tax numbers only; documents are rejected. They accept and refuse accounts as told, and repeat everything that they
 * receive in body and headers.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { createHost } from "./host.ts";

/** `plain` accepts without comment; the others repeat everything they received while they accept, refuse or fail. */
export type Mood = "plain" | "accepting" | "refusing" | "broken";

interface Answer {
  status: number;
  type: string;
  body: string;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

function requestedDoc(echo: string): Answer {
  const body = `<?xml version="1.0" encoding="UTF-8"?><RequestedDoc xmlns="http://www.aade.gr/myDATA/invoice/v1.0">${
    echo === "" ? "" : `<echo at="${escapeXml(echo)}">${escapeXml(echo)}</echo>`
  }</RequestedDoc>`;
  return { status: 200, type: "application/xml", body };
}

/** A rejected document, with a message that repeats what was sent. */
function responseDoc(echo: string): Answer {
  const error = `<error><message>${escapeXml(echo)}</message><code>203</code></error>`;
  const response = `<response><index>1</index><statusCode>ValidationError</statusCode><errors>${error}</errors></response>`;
  return { status: 200, type: "application/xml", body: `<ResponseDoc>${response}</ResponseDoc>` };
}

const json = (status: number, value: unknown): Answer => ({
  status,
  type: "application/json; charset=utf-8",
  body: JSON.stringify(value),
});

/** The tax number registry's response about any number. */
function lookup(path: string, text: string): Answer {
  const [, country, inPath] = /\/ms\/(\w\w)\/vat\/([^/?]+)/.exec(path) ?? [];
  const asked: unknown = text === "" ? {} : JSON.parse(text);
  const requestDate = new Date().toISOString();
  const found = { requestDate, name: "Example", address: "Street 1", userError: "VALID" };
  return json(200, {
    countryCode: country,
    vatNumber: inPath,
    ...(asked as object),
    ...found,
    valid: true,
    isValid: true,
  });
}

export async function playNetwork() {
  let requests = 0;
  const network = { mood: "plain" as Mood, token: "played-token" };

  function answerTo(request: IncomingMessage, text: string): Answer {
    const path = request.url ?? "";
    const isLogin = path.includes("/login");
    const isRegistry = path.includes("/RequestTransmittedDocs");
    if (path.startsWith("/vies")) return lookup(path, text);
    const heard = JSON.stringify({ path, headers: request.headers, text });
    if (network.mood === "broken")
      return { status: 500, type: "text/html", body: `<html><pre>${heard}</pre></html>` };
    if (network.mood === "refusing") {
      const raw = Object.entries(request.headers).map(([name, value]) => `${name} ${value}`);
      const errors = [{ title: `Refused: ${raw.join(" ")} ${text}` }];
      return json(
        401,
        isRegistry ? { statusCode: 401, message: `Access denied: ${raw.join(" ")}` } : { errors },
      );
    }
    const echo = network.mood === "plain" ? "" : heard;
    if (isRegistry) return requestedDoc(echo);
    if (path.includes("/SendInvoices")) return responseDoc(heard);
    if (isLogin) return json(200, { data: { attributes: { jwt: network.token } }, heard: echo });
    if (path.includes("/tenant_details")) return json(200, { name: "Example", heard: echo, asText: text });
    if (request.method === "GET" && path.includes("/billing_books")) return json(200, []);
    return json(200, { status: "Invoice Errors", errors: [{ title: heard }] });
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests += 1;
    const text = (await buffer(request)).toString();
    const { status, type, body } = answerTo(request, text);
    const echoed = network.mood === "plain" ? [] : Object.entries(request.headers);
    for (const [name, value] of echoed) response.setHeader(`x-heard-${name}`, String(value));
    if (echoed.length > 0) response.setHeader("set-cookie", `session=${encodeURIComponent(text)}`);
    response.writeHead(status, { "content-type": type });
    response.end(body);
  }

  const host = createHost(serve, () => undefined);
  await host.listen();
  const url = host.origin();
  return Object.assign(network, {
    /** Settings that direct every mode of every provider, and tax lookups, here. */
    env: {
      FISCAL_PROVIDERS__REGISTRY_DIRECT__TEST_URL: `${url}/registry`,
      FISCAL_PROVIDERS__REGISTRY_DIRECT__LIVE_URL: `${url}/registry`,
      FISCAL_PROVIDERS__PROVIDER_A__TEST_URL: `${url}/provider`,
      FISCAL_PROVIDERS__PROVIDER_A__LIVE_URL: `${url}/provider`,
      FISCAL_TAX_IDS__REGISTRY_URL: `${url}/vies`,
    },
    /** The number of requests so far. */
    count: () => requests,
    close: host.close,
  });
}

export type PlayedNetwork = Awaited<ReturnType<typeof playNetwork>>;
