/** The filters that `fiscal requests list` and `tail` share. */
import type { Command } from "commander";
import { REQUEST_ID_FORM } from "../../src/foundation/request-id.ts";
import type { CommandContext } from "../context.ts";
import { documentId, formed, integer } from "../options.ts";

export interface RequestFilters {
  status?: number;
  operation?: string;
  document?: string;
  requestId?: string;
}

const STATUS_MIN = 100;
const STATUS_MAX = 599;

export function addRequestFilters(command: Command, { inLanguage }: CommandContext): Command {
  return command
    .option(
      "--status <code>",
      inLanguage({ en: "only with this HTTP status", el: "απαντήθηκαν με αυτόν τον κωδικό HTTP" }),
      integer("--status", STATUS_MIN, STATUS_MAX),
    )
    .option(
      "--operation <id>",
      inLanguage({
        en: "only of this operation, for example issueDocument",
        el: "αυτής της λειτουργίας του API, για παράδειγμα issueDocument",
      }),
      formed("--operation", /^[A-Za-z][A-Za-z0-9]{0,63}$/, "issueDocument"),
    )
    .option(
      "--document <id>",
      inLanguage({
        en: "only those that returned this document",
        el: "που απάντησαν με αυτό το παραστατικό",
      }),
      documentId("--document"),
    )
    .option(
      "--request-id <id>",
      inLanguage({ en: "only with this x-request-id", el: "με αυτό το x-request-id" }),
      formed("--request-id", REQUEST_ID_FORM, "req_… or client:…"),
    );
}

/** The filters as queries take them. */
export function queryOf({ status, operation, document, requestId }: RequestFilters) {
  return { status, operation_id: operation, document, request_id: requestId };
}
