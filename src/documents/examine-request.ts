/** Previews a request to issue, with the checks of accepting. */
import type { Mode } from "../../storage/stored-values.ts";
import type { Context } from "../journal/context.ts";
import { checkPrepared } from "./accept.ts";
import { type IssueRequest, parseIssueRequest } from "./issue-request.ts";
import { type Examination, examineDocument } from "./preview.ts";

/** What the body of POST /documents would issue. Throws what accepting throws, except for idempotency; stores nothing. */
export function examineBody(context: Context, body: unknown, mode: Mode): Promise<Examination> {
  return examineRequest(context, parseIssueRequest(context, body, mode), mode);
}

/** Like `examineBody`, for a request that is parsed. */
export async function examineRequest(
  context: Context,
  request: IssueRequest,
  mode: Mode,
): Promise<Examination> {
  await checkPrepared(context, request, mode);
  const { merchant, provider, series, number, metadata } = request.envelope;
  return examineDocument(context, request.document, { mode, merchant, provider, series, number, metadata });
}
