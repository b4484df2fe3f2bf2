/** Provider calls as tables and fields, and the filter that `list` and `tail` share. */
import type { Command } from "commander";
import type { ProviderCallDetail, ProviderCallObject } from "../../src/logs/log-objects.ts";
import type { CommandContext } from "../context.ts";
import { documentId } from "../options.ts";
import { errorFields } from "../ui/error-fields.ts";
import type { Column, Field } from "../ui/table.ts";
import { instantText, optionalInstantText } from "../ui/values.ts";
import { wordText } from "../ui/words.ts";

export function addDocumentFilter(command: Command, context: CommandContext): Command {
  return command.option(
    "--document <id>",
    context.inLanguage({ en: "only for this document", el: "μόνο για αυτό το παραστατικό" }),
    documentId("--document"),
  );
}

/** `200`, or `-` without a response. */
export function formatHttpStatus(call: ProviderCallObject): string {
  return call.http_status === null ? "-" : String(call.http_status);
}

/** `issue`, or `issue (auth)` for a login that the operation needed. */
export function formatOperation(call: ProviderCallObject): string {
  return call.purpose === "auth" ? `${call.operation} (auth)` : call.operation;
}

export const CALL_COLUMNS: readonly Column<ProviderCallObject>[] = [
  { head: { en: "started", el: "έναρξη" }, value: (call) => instantText(call.started_at) },
  { head: { en: "provider", el: "πάροχος" }, leaveOut: 3, value: (call) => call.provider },
  { head: { en: "operation", el: "ενέργεια" }, value: formatOperation },
  { head: { en: "outcome", el: "έκβαση" }, value: (call) => wordText(call.outcome) },
  { head: { en: "status", el: "κατάσταση" }, leaveOut: 4, align: "right", value: formatHttpStatus },
  { head: "ms", leaveOut: 1, align: "right", value: (call) => String(call.duration_ms) },
  { head: { en: "document", el: "παραστατικό" }, leaveOut: 5, value: (call) => call.document ?? "-" },
  { head: "id", leaveOut: 2, value: (call) => call.id },
];

export function callFields(call: ProviderCallDetail): Field[] {
  return [
    ["id", call.id],
    [{ en: "provider", el: "πάροχος" }, `${call.provider} (${call.livemode ? "live" : "test"})`],
    [{ en: "operation", el: "ενέργεια" }, formatOperation(call)],
    [{ en: "outcome", el: "έκβαση" }, wordText(call.outcome)],
    [{ en: "status", el: "κατάσταση" }, call.http_status],
    [{ en: "duration", el: "διάρκεια" }, `${call.duration_ms} ms`],
    [{ en: "started", el: "έναρξη" }, instantText(call.started_at)],
    [{ en: "settled", el: "ολοκλήρωση" }, optionalInstantText(call.settled_at)],
    ["url", call.url],
    [{ en: "merchant", el: "επιχείρηση" }, call.merchant],
    [{ en: "document", el: "παραστατικό" }, call.document],
    [{ en: "connection", el: "σύνδεση" }, call.connection],
    ...errorFields(call.error),
  ];
}
