/** Checks which documents preview and issue accept, and which they reject with a problem at a path. */
import { expect } from "vitest";
import { buildDocument, changed, type Keys } from "../../helpers/documents.ts";
import { computeTotals } from "../../../src/domain/totals.ts";
import { DOCUMENTS, expectProblem, type Json, useServer } from "./bench.ts";

export type { Keys };

export function sales(): unknown {
  return buildDocument("1.1");
}

/** `document` with totals computed from its lines. */
export function added(document: unknown): unknown {
  const { lines } = document as { lines: Parameters<typeof computeTotals>[0] };
  const { net, vat, gross } = computeTotals(lines);
  return changed(document, ["totals"], { net, vat, gross });
}

/** `lines[2].vat_exemption` */
function pathOf(keys: Keys): string {
  return keys.map((key, at) => (typeof key === "number" ? `[${key}]` : at === 0 ? key : `.${key}`)).join("");
}

/** A server, and what its preview and issue make of documents. */
export function useCanonical() {
  const server = useServer();
  const issue = (document: unknown, key = server.testKey) =>
    server.post(DOCUMENTS, { merchant: server.merchant, document }, { key });
  const preview = (document: unknown) => server.post(`${DOCUMENTS}/preview`, document);

  /** Expects issue to reject it with 400 and a problem at the path. */
  async function expectRefused(document: unknown, keys: Keys, key = server.testKey): Promise<void> {
    expectProblem(await issue(document, key), `document.${pathOf(keys)}`);
  }

  return {
    server,
    preview,
    expectRefused,
    /** Expects preview to accept it, and returns the preview. */
    async expectTaken(document: unknown): Promise<Json> {
      const { status, body } = await preview(document);
      expect([status, body.message]).toEqual([200, undefined]);
      return body.data;
    },
    /** Expects issue to accept it, and returns the document. */
    async expectIssued(document: unknown): Promise<Json> {
      const { status, body } = await issue(document);
      expect([status, body.message]).toEqual([201, undefined]);
      return body.data;
    },
    /** Expects the same of preview, whose body is the document itself. */
    async expectRefusedByBoth(document: unknown, keys: Keys): Promise<void> {
      await expectRefused(document, keys);
      expectProblem(await preview(document), pathOf(keys));
    },
  };
}

export { buildDocument, buildLine, changed, CUSTOMERS } from "../../helpers/documents.ts";
