/**
 * The static description of the sandbox, the scenarios that a document can request in `metadata.sandbox`
 * (docs/contract.md#sandbox-scenes), and its refusals.
 */
import type { BuiltInDescription, OutgoingDocument } from "../../domain/provider-adapter.ts";
import { type ErrorObject, buildErrorObject } from "../../foundation/errors.ts";
import type { Text } from "../../foundation/text.ts";

/** Keeps the commit of one batch short. */
const BATCH_MAX = 64;

export const SANDBOX = {
  provider: "sandbox",
  name: { en: "sandbox", el: "δοκιμαστικό περιβάλλον (sandbox)" },
  numbering: "ours",
  issueBatchMax: BATCH_MAX,
  canCancel: true,
  hasPdf: false,
  credentials: null,
  settings: {},
} as const satisfies BuiltInDescription;

export const SCENES = [
  "issued",
  "rejected",
  "unavailable",
  "unavailable_once",
  "timeout",
  "pending",
] as const;
export type Scene = (typeof SCENES)[number];

/** How long the scenario `pending` withholds the MARK. */
export const PENDING_MS = 10_000;

/** A valid number that no business has. Tax number lookups with test keys call it invalid too. */
const INACTIVE_TAX_NUMBER = "099999999";

function isScene(word: string): word is Scene {
  return (SCENES as readonly string[]).includes(word);
}

/** The scenario of a document that the sandbox accepts, or why it refuses the document. */
export function chooseScene({ input, metadata }: OutgoingDocument): Exclude<Scene, "rejected"> | ErrorObject {
  const refusal = (code: string, authorityMessage: string) =>
    refusalError(DOCUMENT, [{ code, authorityMessage }]);
  const customer = input.customer?.tax_id;
  if (customer?.country === "GR" && customer.code === INACTIVE_TAX_NUMBER)
    return refusal("102", "The VAT number of the counterpart is not active");
  const scene = metadata["sandbox"] ?? "issued";
  if (!isScene(scene)) return refusal("sandbox", `metadata.sandbox must be one of ${SCENES.join(", ")}`);
  return scene === "rejected"
    ? refusal("203", "The total gross value is not the sum of net value, VAT and other taxes")
    : scene;
}

export interface RefusalReason {
  code: string;
  authorityMessage: string;
  /** The same in plain words, if there are any. */
  message?: Text;
}

/** What was refused. */
export const DOCUMENT: Text = {
  en: "The sandbox refused the document",
  el: "Το sandbox απέρριψε το παραστατικό",
};
export const CANCELLATION: Text = {
  en: "The sandbox refused the cancellation",
  el: "Το sandbox απέρριψε την ακύρωση",
};

/** The first code counts, and the authority's messages are joined, as for the registry. Throws without a reason. */
export function refusalError(refused: Text, reasons: readonly RefusalReason[]): ErrorObject {
  const [first] = reasons;
  if (first === undefined) throw new Error("A refusal without a reason");
  const { code, message } = first;
  return buildErrorObject(
    "provider_rejected",
    {
      en: `${refused.en}, as the authority would (${code})${message === undefined ? "" : `: ${message.en}`}`,
      el: `${refused.el}, όπως θα έκανε η ΑΑΔΕ (${code})${message === undefined ? "" : `: ${message.el}`}`,
    },
    {
      provider_code: code,
      provider_message: reasons.map(({ authorityMessage }) => authorityMessage).join("; "),
      provider_raw: {
        statusCode: "ValidationError",
        errors: reasons.map((reason) => ({ code: reason.code, message: reason.authorityMessage })),
      },
    },
  );
}
