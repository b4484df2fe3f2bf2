import { describe, expect, test } from "vitest";
import { TOOLSETS } from "../../../server/mcp/toolsets.ts";
import { buildIssueBody } from "../../helpers/appliance.ts";
import { call, dataOf, openMcpServer } from "../../helpers/mcp.ts";
import { forAllTests } from "../../helpers/set-up.ts";

const server = forAllTests(openMcpServer);

async function listed(search: string): Promise<string[]> {
  const client = await server.connect({ search });
  return (await client.listTools()).tools.map(({ name }) => name);
}

describe("the toolsets", () => {
  test("of a session that names none take at most 32 KB, and suffice to issue, find, credit and explain documents", async () => {
    const client = await server.connect({ search: "" });
    const result = await client.listTools();
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(32_000);
    const names = result.tools.map(({ name }) => name);
    const needed =
      "issue_document credit_document list_documents get_document get_document_contents get_document_pdf preview_document";
    expect(names).toEqual(expect.arrayContaining(needed.split(" ")));
    const others = "compute_totals list_merchants lookup_tax_id show_numbering audit_numbering";
    expect(names).toEqual(expect.arrayContaining(others.split(" ")));
    expect(names).not.toContain("list_events");
  });

  test("all together take at most 60 KB", async () => {
    const client = await server.connect({ search: "?tools=all" });
    expect(Buffer.byteLength(JSON.stringify(await client.listTools()))).toBeLessThanOrEqual(60_000);
  });

  test("that are named replace the usual ones", async () => {
    expect(await listed("?tools=logs")).toEqual([
      "list_provider_calls",
      "get_provider_call",
      "list_requests",
      "get_request",
    ]);
    const both = await listed("?tools=events,%20tax_numbers&read_only=true");
    expect(both).toEqual(["list_events", "get_event", "lookup_tax_id"]);
  });

  test("each have a tool over HTTP, except doctor", async () => {
    for (const name of TOOLSETS.filter((known) => known !== "doctor"))
      expect(await listed(`?tools=${name}`), name).not.toEqual([]);
    expect(await listed("?tools=all")).not.toContain("doctor");
  });

  test.each(["?tools=documents,everything", "?tools=documents,", "?tools=all,logs", "?tools=Documents"])(
    "%s is an error that lists the sets",
    async (search) => {
      await expect(server.connect({ search })).rejects.toThrow(
        /tools: must be all, or some of these separated by commas: documents, merchants, .*, logs/,
      );
    },
  );

  test("say why a key has no doctor", async () => {
    await expect(server.connect({ search: "?tools=doctor" })).rejects.toThrow(
      /only fiscal mcp without a key/,
    );
  });

  test("that a session lacks are named when one of their tools is called", async () => {
    const client = await server.connect({ search: "?tools=documents" });
    await expect(call(client, "list_events")).rejects.toThrow(/tools=events/);
    await expect(call(client, "doctor")).rejects.toThrow(/No tool has this name/);
  });

  test("of a session that names none can all be called", async () => {
    const client = await server.connect({ search: "" });
    expect(dataOf<unknown[]>(await call(client, "list_events"))).toBeInstanceOf(Array);
  });
});

test("compute_totals, preview_document and issue_document work with one and the same document", async () => {
  const client = await server.connect({ search: "" });
  const body = buildIssueBody(server.merchant);
  const document = body["document"] as { lines: object[]; totals: object };
  const { totals } = dataOf<{ totals: object }>(
    await call(client, "compute_totals", { lines: document.lines }),
  );
  const completed = { ...document, totals };
  dataOf(await call(client, "preview_document", completed));
  dataOf(await call(client, "issue_document", { ...body, document: completed }));
});
