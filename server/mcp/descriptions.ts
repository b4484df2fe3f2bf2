/** What a model reads about a tool: the API's description of the operation, with the names of tools in place of operation ids. */
import type { Operation } from "../../src/operations/operation.ts";

/** `issueDocument` becomes `issue_document`. */
export function toolName(operationId: string): string {
  return operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const REPEATED =
  "The same arguments again return the first result; for a second, equal object pass a different idempotency_key. idempotency_conflict: look it up.";

/** Operation ids in a description, such as `getDocument`: every camel-case word that is one. */
const OPERATION_ID = /`([a-z]+(?:[A-Z][a-z]+)+)`/g;

export function describeTool({ description, response, idempotency }: Operation): string {
  const returned = response.description.replace(/^(?:The|A|An)\b/, (word) => word.toLowerCase());
  const text = description.replaceAll(OPERATION_ID, (_whole, id: string) => toolName(id));
  return [text, `Returns ${returned}`, ...(idempotency === "required" ? [REPEATED] : [])].join(" ");
}
