/** The scenarios that a document can request from the sandbox in `metadata.sandbox` (docs/contract.md#sandbox-scenes). */
import type { OutgoingDocument } from "../../domain/provider-adapter.ts";
import type { ErrorObject } from "../../foundation/errors.ts";
import { refusalError } from "./refusal.ts";

export const SCENES = [
  "issued",
  "rejected",
  "unavailable",
  "unavailable_once",
  "timeout",
  "pending",
] as const;
export type Scene = (typeof SCENES)[number];

/** How the sandbox responds to a document. */
export type SandboxResponse =
  | { kind: "file"; markDelayMs: number; losesResponse: boolean }
  | { kind: "refuse"; error: ErrorObject }
  | { kind: "unavailable"; onlyOnce: boolean };

/** How long the scenario `pending` withholds the MARK. */
const PENDING_MS = 10_000;

/** A valid number that no business has. Tax number lookups with test keys call it invalid too. */
const INACTIVE_TAX_NUMBER = "099999999";

function refusal(code: string, authorityMessage: string): SandboxResponse {
  return { kind: "refuse", error: refusalError([{ code, authorityMessage }]) };
}

function isScene(word: string): word is Scene {
  return (SCENES as readonly string[]).includes(word);
}

export function chooseResponse(document: OutgoingDocument): SandboxResponse {
  const customer = document.input.customer?.tax_id;
  if (customer?.country === "GR" && customer.code === INACTIVE_TAX_NUMBER) {
    return refusal("102", "The VAT number of the counterpart is not active");
  }
  const scene = document.metadata["sandbox"] ?? "issued";
  if (!isScene(scene)) return refusal("sandbox", `metadata.sandbox must be one of ${SCENES.join(", ")}`);
  switch (scene) {
    case "issued":
      return { kind: "file", markDelayMs: 0, losesResponse: false };
    case "pending":
      return { kind: "file", markDelayMs: PENDING_MS, losesResponse: false };
    case "timeout":
      return { kind: "file", markDelayMs: 0, losesResponse: true };
    case "rejected":
      return refusal("203", "The total gross value is not the sum of net value, VAT and other taxes");
    case "unavailable":
      return { kind: "unavailable", onlyOnce: false };
    case "unavailable_once":
      return { kind: "unavailable", onlyOnce: true };
  }
}
