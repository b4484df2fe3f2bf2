/**
 * Fakes the EU's registry of VAT numbers (docs/eu-registry.md) on a free port of this machine. A number is valid if it is registered
 * here; two of the registry's test numbers are errors (docs/eu-registry.md#test-numbers). The test fails (`close` throws) on an
 * unknown method, path, header or field, on a prefix left before a number, and on unused faults.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { createHost } from "./host.ts";

interface Asked {
  countryCode: string;
  vatNumber: string;
}

export type Fault =
  /** One of the registry's own errors, with HTTP 200 by default. */
  | { kind: "error"; code: string; status?: number }
  /** The correct response with changed fields. */
  | { kind: "changed"; fields: Record<string, unknown> }
  /** Any other response. */
  | { kind: "raw"; body: string; status?: number; headers?: Record<string, string> }
  /** The connection ends before or in the middle of the response. */
  | { kind: "cut"; at: "start" | "middle" }
  /** No response comes before `release`. */
  | { kind: "held" };

/** A name or address is `---` if the member state discloses none. */
interface Registration {
  name: string;
  address: string;
}

/** Greece is EL; GB was removed in 2021. */
const COUNTRIES = new Set(
  "AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI".split(" "),
);
const PATH = "/rest-api/check-vat-number";
const NUMBER_FORM = /^[A-Z0-9+*]{2,12}$/;

const TEST_NUMBERS: Readonly<Record<string, Fault>> = {
  "201": { kind: "error", code: "INVALID_INPUT", status: 400 },
  "400": { kind: "error", code: "VAT_BLOCKED" },
};

export async function startFakeVies() {
  const asked: Asked[] = [];
  const problems: string[] = [];
  const faults: Fault[] = [];
  const registrations = new Map<string, Registration>();
  const disturbed = new Map<string, string>();
  const waiting: { count: number; resolve(): void }[] = [];
  let held: (() => void)[] = [];

  const host = createHost(serve, (error) => void problems.push(`the fake failed: ${String(error)}`));
  const keyOf = ({ countryCode, vatNumber }: Asked) => `${countryCode} ${vatNumber}`;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const question = readQuestion(request, await text(request));
    if (typeof question === "string") {
      problems.push(question);
      return sendJson(response, 400, errorBody("INVALID_INPUT"));
    }
    asked.push(question);
    for (const { count, resolve } of waiting) if (asked.length >= count) resolve();
    await answer(question, response, faults.shift());
  }

  async function answer(question: Asked, response: ServerResponse, fault?: Fault): Promise<void> {
    if (fault?.kind === "held") await new Promise<void>((resolve) => held.push(resolve));
    const code = disturbed.get(question.countryCode);
    const told = fault ?? (code === undefined ? TEST_NUMBERS[question.vatNumber] : { kind: "error", code });
    const body = answerBody(question, registrations.get(keyOf(question)));
    switch (told?.kind) {
      case undefined:
      case "held":
        return sendJson(response, 200, body);
      case "error":
        return sendJson(response, told.status ?? 200, errorBody(told.code));
      case "changed":
        return sendJson(response, 200, { ...body, ...told.fields });
      case "raw":
        response.writeHead(told.status ?? 200, told.headers ?? { "content-type": "text/html" });
        return void response.end(told.body);
      case "cut":
        return cut(response, told.at, JSON.stringify(body));
    }
  }

  await host.listen();
  return {
    /** The base URL. */
    url: host.origin() + PATH.slice(0, PATH.lastIndexOf("/")),
    /** The questions, in order of arrival. */
    asked,
    register: (countryCode: string, vatNumber: string, registration: Registration) =>
      void registrations.set(keyOf({ countryCode, vatNumber }), registration),
    /** Applies to the next question about any country; several apply in order. */
    next: (...more: Fault[]) => void faults.push(...more),
    /** From now on questions about the country receive the error; undefined ends that. */
    disturb(countryCode: string, code: string | undefined) {
      if (code === undefined) disturbed.delete(countryCode);
      else disturbed.set(countryCode, code);
    },
    /** Resolves after this many questions. */
    arrived: (count: number) =>
      new Promise<void>((resolve) => {
        if (asked.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    /** Responds to the requests held back. */
    release() {
      for (const resume of held) resume();
      held = [];
    },
    /** Refuses connections until `comeBack`. */
    goDown: host.stop,
    comeBack: host.listen,
    /** Throws if there are problems or unused faults. */
    async close() {
      for (const resume of held) resume();
      await host.close();
      const unmet = faults.map((fault) => `nothing met the fault ${JSON.stringify(fault)}`);
      const all = [...problems, ...unmet];
      if (all.length > 0) throw new Error(`The fake registry has problems:\n${all.join("\n")}`);
    },
  };
}

/** Returns the query, or the problem of the request. */
function readQuestion({ method, url, headers }: IncomingMessage, sent: string): Asked | string {
  if (method !== "POST" || url !== PATH) return `there is no ${method} ${url} here`;
  if (!/^application\/json\b/.test(headers["content-type"] ?? ""))
    return "the question is not said to be JSON";
  for (const name of ["authorization", "cookie", "x-request-id"])
    if (headers[name] !== undefined) return `the registry must not be sent the header ${name}`;
  const { countryCode, vatNumber, ...others } = JSON.parse(sent) as Record<string, unknown>;
  if (Object.keys(others).length > 0) return `unknown fields: ${Object.keys(others).join(", ")}`;
  if (typeof countryCode !== "string" || !COUNTRIES.has(countryCode)) return "there is no such country code";
  if (typeof vatNumber !== "string" || !NUMBER_FORM.test(vatNumber))
    return "the number has not the form of one";
  // A French key may start with FR; eleven characters are then the whole number.
  const isPrefixed = vatNumber.startsWith(countryCode) || vatNumber.startsWith("GR");
  if (isPrefixed && !["FR", "NL"].includes(countryCode)) return "the prefix was left before the number";
  return { countryCode, vatNumber };
}

/** An unknown number is simply not valid. */
function answerBody(question: Asked, registration: Registration | undefined): Record<string, unknown> {
  const { name, address } = registration ?? { name: "---", address: "---" };
  const trader = ["Name", "Street", "PostalCode", "City", "CompanyType"];
  return {
    ...question,
    requestDate: new Date().toISOString(),
    valid: registration !== undefined,
    requestIdentifier: "",
    name,
    address,
    ...Object.fromEntries(trader.map((part) => [`trader${part}`, "---"])),
    ...Object.fromEntries(trader.map((part) => [`trader${part}Match`, "NOT_PROCESSED"])),
  };
}

function errorBody(error: string): Record<string, unknown> {
  return { actionSucceed: false, errorWrappers: [{ error }] };
}

function sendJson(response: ServerResponse, status: number, body: Record<string, unknown>): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function cut(response: ServerResponse, at: "start" | "middle", body: string): void {
  if (at === "start") return void response.destroy();
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  response.write(body.slice(0, body.length / 2), () => response.destroy());
}
