/**
 * The requests and responses of the fake EU registry, and the scenarios of its test numbers
 * (docs/eu-registry.md#test-numbers).
 */
import type { IncomingMessage, ServerResponse } from "node:http";

export interface Asked {
  countryCode: string;
  vatNumber: string;
}

export type Fault =
  /** One of the registry's own errors, with HTTP 200 by default. */
  | { kind: "error"; code: string; status?: number }
  /** The error in `userError` together with `valid: false`, as the GET call returns it. */
  | { kind: "userError"; code: string; valid?: boolean }
  /** The correct response with changed fields; `undefined` removes a field. */
  | { kind: "changed"; fields: Record<string, unknown>; status?: number }
  /** Any other response. */
  | { kind: "raw"; body: string; status?: number; headers?: Record<string, string> }
  /** The connection ends before or in the middle of the response. */
  | { kind: "cut"; at: "start" | "middle" }
  /** No response comes before `release`. */
  | { kind: "held" };

export interface Registration {
  /** Default: true. A registration that ended keeps its name. */
  valid?: boolean;
  /** `---` if the member state discloses none. */
  name: string;
  address: string;
}

/** Greece is EL; GB was removed in 2021. */
const COUNTRIES = new Set(
  "AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI".split(" "),
);
export const PATH = "/rest-api/check-vat-number";
const NUMBER_FORM = /^[A-Z0-9+*]{2,12}$/;

/** Both as returned by the registry's test service. */
export const JOHN: Registration = { name: "John Doe", address: "123 Main St, Anytown, UK" };
const UNKNOWN: Registration = { valid: false, name: "---", address: "---" };

const TEST_ERRORS: Readonly<Record<string, { code: string; status: number }>> = {
  "201": { code: "INVALID_INPUT", status: 400 },
  "202": { code: "INVALID_REQUESTER_INFO", status: 400 },
  "300": { code: "SERVICE_UNAVAILABLE", status: 200 },
  "301": { code: "MS_UNAVAILABLE", status: 200 },
  "302": { code: "TIMEOUT", status: 200 },
  "400": { code: "VAT_BLOCKED", status: 200 },
  "401": { code: "IP_BLOCKED", status: 200 },
  "500": { code: "GLOBAL_MAX_CONCURRENT_REQ", status: 200 },
  "501": { code: "GLOBAL_MAX_CONCURRENT_REQ_TIME", status: 200 },
  "600": { code: "MS_MAX_CONCURRENT_REQ", status: 200 },
  "601": { code: "MS_MAX_CONCURRENT_REQ_TIME", status: 200 },
};

export function errorFault(code: string, status = 200): Fault {
  return { kind: "error", code, status };
}

export const TEST_FAULTS: Readonly<Record<string, Fault>> = Object.fromEntries(
  Object.entries(TEST_ERRORS).map(([number, { code, status }]) => [number, errorFault(code, status)]),
);

export function keyOf({ countryCode, vatNumber }: Asked): string {
  return `${countryCode} ${vatNumber}`;
}

/** Returns the query, or the problem of the request. */
export function readQuestion({ method, url, headers }: IncomingMessage, text: string): Asked | string {
  if (method !== "POST" || url !== PATH) return `there is no ${method} ${url} here`;
  if (!/^application\/json\b/.test(headers["content-type"] ?? ""))
    return "the question is not said to be JSON";
  for (const name of ["authorization", "cookie", "x-request-id"])
    if (headers[name] !== undefined) return `the registry must not be sent the header ${name}`;
  return checkQuestion(text);
}

function checkQuestion(text: string): Asked | string {
  const body: unknown = JSON.parse(text);
  if (typeof body !== "object" || body === null) return "the question is not an object";
  const { countryCode, vatNumber, ...others } = body as Record<string, unknown>;
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
export function answerBody(question: Asked, registration: Registration | undefined): Record<string, unknown> {
  const { valid = true, name, address } = registration ?? UNKNOWN;
  const trader = ["Name", "Street", "PostalCode", "City", "CompanyType"];
  return {
    ...question,
    requestDate: new Date().toISOString(),
    valid,
    requestIdentifier: "",
    name,
    address,
    ...Object.fromEntries(trader.map((part) => [`trader${part}`, "---"])),
    ...Object.fromEntries(trader.map((part) => [`trader${part}Match`, "NOT_PROCESSED"])),
  };
}

export function errorBody(error: string): Record<string, unknown> {
  return { actionSucceed: false, errorWrappers: [{ error }] };
}

export function sendJson(response: ServerResponse, status: number, body: Record<string, unknown>): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

export function cut(response: ServerResponse, at: "start" | "middle", body: string): void {
  if (at === "start") {
    response.destroy();
    return;
  }
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  response.write(body.slice(0, body.length / 2), () => response.destroy());
}
