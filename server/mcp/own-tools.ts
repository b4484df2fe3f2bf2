/** The tools that only MCP has: totals, numbers, and the findings of doctor. They answer from this installation, without an API request. */
import type { Tool } from "@modelcontextprotocol/server";
import * as v from "valibot";
import type { Appliance } from "../../src/appliance.ts";
import { AppError } from "../../src/foundation/errors.ts";
import { DOCUMENT_TYPES, LINES_MAX, LineSchema, NET_MAX } from "../../src/domain/canonical-document.ts";
import { computeExactTotals, computeTotals, computeVatShares } from "../../src/domain/totals.ts";
import { listCounters, summariseNumbering } from "../../src/numbering/counters.ts";
import type { Mode } from "../../src/domain/vocabulary.ts";
import { convert, shorten } from "../openapi/json-schema.ts";
import { idField } from "../../src/operations/field.ts";
import { type OwnTool, toolName } from "./tools.ts";

type Described = Pick<OwnTool, "operationId" | "toolset"> & Pick<Tool, "title" | "description">;

/** Defines a tool that changes nothing and contacts nobody. */
function ownTool<Schema extends v.GenericSchema>(
  { operationId, toolset, ...described }: Described,
  schema: Schema,
  run: (given: v.InferOutput<Schema>, appliance: Appliance, mode: Mode) => unknown,
): OwnTool {
  return {
    operationId,
    toolset,
    readsOnly: true,
    schema,
    run,
    definition: {
      name: toolName(operationId),
      ...described,
      inputSchema: { additionalProperties: false, ...shorten(convert(schema, "input")), type: "object" },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
  };
}

/** The fields of a line that its amounts depend on. The others may be there, so that the lines of a document can be passed. */
const PricedLineSchema = v.object({
  quantity: LineSchema.entries.quantity,
  unit_price: LineSchema.entries.unit_price,
  vat_category: LineSchema.entries.vat_category,
});

const computeTotalsTool = ownTool(
  {
    operationId: "computeTotals",
    toolset: "documents",
    title: "Compute the totals of lines",
    description:
      "Add up the lines of a document before preview_document and issue_document, instead of computing yourself: each line is rounded half up to the cent, then summed. Takes the document's lines as they are. Returns, in cents, totals (net, vat, gross) to put into the document, the net and VAT of each line, and both by VAT category. A price that includes VAT is not a unit_price: divide it first.",
  },
  v.strictObject({ lines: v.pipe(v.array(PricedLineSchema), v.minLength(1), v.maxLength(LINES_MAX)) }),
  ({ lines }) => {
    const exact = computeExactTotals(lines);
    if (exact.net > BigInt(NET_MAX) || exact.vat > BigInt(NET_MAX)) throw tooMuch();
    const { lines: ofLines, ...totals } = computeTotals(lines);
    return { totals, lines: ofLines.map(({ net, vat }) => ({ net, vat })), vat: computeVatShares(lines) };
  },
);

function tooMuch(): AppError {
  return new AppError("validation_failed", {
    en: `lines: net and VAT may each be at most ${NET_MAX} cents`,
    el: `lines: η καθαρή αξία και ο ΦΠΑ φτάνουν το πολύ τα ${NET_MAX} λεπτά`,
  });
}

const merchant = idField("mer", "").schema;

const listCountersTool = ownTool(
  {
    operationId: "showNumbering",
    toolset: "numbering",
    title: "Show the next number of each series",
    description:
      "Read which series are in use and which number comes next, of all tax numbers or of one merchant's. Returns counters: supplier, branch, type, series, next_number, and the released numbers of rejected documents, which the next documents take first. To explain gaps, audit_numbering.",
  },
  v.strictObject({ merchant }),
  async ({ merchant: merchantId }, appliance, mode) => ({
    counters: await listCounters(appliance, { mode, merchantId }),
  }),
);

const auditNumberingTool = ownTool(
  {
    operationId: "auditNumbering",
    toolset: "numbering",
    title: "Account for every number",
    description:
      "Explain gaps in a series: what became of every number of the key's mode. Returns for each counter how many numbers are issued, reserved (kept for a document), released (the next document takes it), abandoned and passed (over), and those that are not issued with their reason and document; and holes, numbers that nothing explains. No holes: the numbers are in order. A hole is for the operator: fiscal numbering audit. not_supported: too many numbers, narrow by merchant, type or series.",
  },
  v.strictObject({
    merchant,
    type: v.optional(v.picklist(DOCUMENT_TYPES)),
    series: v.optional(v.string()),
  }),
  ({ merchant: merchantId, type, series }, appliance, mode) =>
    summariseNumbering(appliance, { mode, merchantId, type, series }),
);

/** Those of every session. */
export const OWN_TOOLS: readonly OwnTool[] = [computeTotalsTool, listCountersTool, auditNumberingTool];

/**
 * The findings of `fiscal doctor`. They name the operator's files and concern both modes, so a session that acts as an API key
 * has no such tool.
 */
export function doctorTool(diagnose: () => Promise<object>): OwnTool {
  return ownTool(
    {
      operationId: "doctor",
      toolset: "doctor",
      title: "Check the installation",
      description:
        "Check configuration, database, master key, clock, disk, connections, documents of both modes, numbers, keys, webhooks and backups, when something does not work or before going live. Only reads. Returns healthy, and findings with severity (ok, notice, problem), message and next_step, a command that the operator runs: show it, it is no tool.",
    },
    v.strictObject({}),
    () => diagnose(),
  );
}
