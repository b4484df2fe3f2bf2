/** Faults between a client and the authority, and whether the documents were filed despite them. */
export const FAULTS = [
  /** The connection is cut, and the request does not arrive. */
  "cut before filing",
  /** The documents are filed, then the connection is cut. */
  "cut after filing",
  "garbled after filing",
  "empty after filing",
  "html 502 after filing",
  "html 502 before filing",
  "500 before filing",
  "500 after filing",
  "technical error before filing",
  "technical error after filing",
  /** "General Exception Error": some or all of the message may be filed. */
  "400 before filing",
  "400 after filing",
  /** A gateway's page. */
  "403 page before filing",
  "403 page after filing",
  "empty 403 before filing",
  "429",
  "401",
  /** Filed, with all responses in reverse order. */
  "answers in reverse",
  /** Filed, with the last response missing. */
  "last answer missing",
  /** Filed, with the response in the test environment's wrapper. */
  "wrapped",
] as const;

/** No answer ever comes. It lasts as long as the client's timeout, so tables of faults leave it out. */
type Silence = "hangs" | "hangs after filing";

export type Fault = (typeof FAULTS)[number] | Silence;

export function filesBeforeFailing(fault: Fault | undefined): boolean {
  return fault === undefined || !/before filing|^429$|^401$|^hangs$/.test(fault);
}
