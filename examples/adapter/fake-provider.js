/** A fake of the imaginary provider for the adapter's tests, on a free local port. It can fail as real providers do. */
import { once } from "node:events";
import { createServer } from "node:http";

export const TOKEN = "token-of-the-shop";
export const REFUSAL = { code: "E17", message: "The series is closed" };

const FIRST_MARK = 400_001_000_000_000;

/**
 * How the fake responds to each send. `pending`: the MARK is there at the second query. `cut before`: nothing is registered.
 * @typedef {"pending" | "reject" | "silent" | "cut before" | "cut after" | "garbled" | "500"} Behavior
 */

/** @param {{ behavior?: Behavior, token?: string }} [options] */
export async function startFakeProvider({ behavior, token = TOKEN } = {}) {
  /** @type {{ id: string, reference: string, mark: string | null, uid: null, qr_url: null, cancellation_mark: string | null }[]} */
  const invoices = [];
  let requests = 0;
  let marks = 0;

  const newMark = () => String(FIRST_MARK + (marks += 1));

  /** @param {string} reference */
  function register(reference) {
    const known = invoices.find((invoice) => invoice.reference === reference);
    if (known !== undefined) throw new Error("A document was sent again after it had been registered");
    const id = `inv-${invoices.length + 1}`;
    const mark = behavior === "pending" ? null : newMark();
    const invoice = { id, reference, mark, uid: null, qr_url: null, cancellation_mark: null };
    invoices.push(invoice);
    return invoice;
  }

  /** @param {string | null} reference */
  function list(reference) {
    const found = invoices.filter((invoice) => invoice.reference === reference);
    const shown = structuredClone(found);
    for (const invoice of found) invoice.mark ??= newMark();
    return { invoices: shown };
  }

  /** @param {string} id */
  function cancel(id) {
    const invoice = invoices.find((one) => one.id === id || one.reference === id);
    if (invoice === undefined) return undefined;
    invoice.cancellation_mark ??= newMark();
    return invoice;
  }

  /**
   * @param {import("node:http").ServerResponse} response
   * @param {number} status
   * @param {unknown} body
   */
  function answer(response, status, body) {
    const text = JSON.stringify(body);
    const isGarbled = behavior === "garbled" && status === 201;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(isGarbled ? text.slice(0, text.length / 2) : text);
  }

  /**
   * @param {string} text
   * @param {import("node:http").ServerResponse} response
   */
  function receiveInvoice(text, response) {
    if (behavior === "reject") return answer(response, 422, REFUSAL);
    const invoice = register(String(JSON.parse(text).reference));
    if (behavior === "silent") return;
    if (behavior === "cut after") return void response.destroy();
    if (behavior === "500") return answer(response, 500, { message: "Internal error" });
    answer(response, invoice.mark === null ? 202 : 201, invoice);
  }

  /** @type {unknown[]} */
  const problems = [];
  const server = createServer((request, response) => {
    requests += 1;
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://provider.example");
    const endpoint = `${request.method} ${pathname}`;
    if (endpoint === "POST /invoices" && behavior === "cut before") return void request.socket.destroy();
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (piece) => (text += piece));
    request.on("end", () => {
      try {
        if (request.headers.authorization !== `Token ${token}`)
          return answer(response, 401, { message: "Unknown token" });
        if (endpoint === "POST /invoices") return receiveInvoice(text, response);
        if (endpoint === "GET /invoices") return answer(response, 200, list(searchParams.get("reference")));
        if (endpoint === "GET /account") return answer(response, 200, { name: "The shop" });
        const invoice = cancel(/^POST \/invoices\/([^/]+)\/cancellation$/.exec(endpoint)?.[1] ?? "");
        answer(response, invoice === undefined ? 404 : 200, invoice ?? { message: "No such address" });
      } catch (error) {
        problems.push(error);
        response.destroy();
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    registrations: () => invoices.length,
    requests: () => requests,
    /** Throws if a request was wrong, such as a second send of a registered document. */
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
      if (problems.length > 0) throw new AggregateError(problems, "The fake provider has problems");
    },
  };
}
