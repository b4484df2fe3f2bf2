/** The error of a document or cancellation that the sandbox refuses, in the form of the authority's response. */
import { buildErrorObject, type ErrorObject } from "../../foundation/errors.ts";
import type { Text } from "../../foundation/text.ts";

export interface RefusalReason {
  /** The authority's error code. */
  code: string;
  authorityMessage: string;
  /** The same in plain words, if there are any. */
  message?: Text;
}

const DOCUMENT: Text = {
  en: "The sandbox refused the document",
  el: "Το sandbox απέρριψε το παραστατικό",
};

const CANCELLATION: Text = {
  en: "The sandbox refused the cancellation",
  el: "Το sandbox απέρριψε την ακύρωση",
};

/** The first code counts, and the authority's messages are joined, as for the registry. Throws without a reason. */
export function refusalError(reasons: readonly RefusalReason[]): ErrorObject {
  return errorOf(DOCUMENT, reasons);
}

export function cancellationError(reason: RefusalReason): ErrorObject {
  return errorOf(CANCELLATION, [reason]);
}

function errorOf(refused: Text, reasons: readonly RefusalReason[]): ErrorObject {
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
      providerCode: code,
      providerMessage: reasons.map(({ authorityMessage }) => authorityMessage).join("; "),
      providerRaw: {
        statusCode: "ValidationError",
        errors: reasons.map((reason) => ({ code: reason.code, message: reason.authorityMessage })),
      },
    },
  );
}
