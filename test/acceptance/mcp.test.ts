/** The built program as MCP clients start it: a child process that speaks the protocol on its standard streams. */
import { resolve } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { beforeEach, expect, test } from "vitest";
import { buildIssueBody } from "../helpers/appliance.ts";
import { makeFolder } from "../helpers/folder.ts";
import { call, createClient, dataOf } from "../helpers/mcp.ts";
import { runBuilt } from "../helpers/server-process.ts";

const BIN = resolve(import.meta.dirname, "../../bin/fiscal.js");

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});

test.each(["initialize", "discover"] as const)(
  "lets a client that begins with %s start the program and issue a document, and exits with the client",
  async (handshake) => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [BIN, "mcp"],
      env: { PATH: process.env["PATH"] ?? "", HOME: folder, FISCAL_DATA_DIR: `${folder}/data` },
      stderr: "pipe",
    });
    let stderr = "";
    transport.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    const client = createClient(handshake);
    await client.connect(transport);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("issue_document");
    const { id: merchant } = dataOf(
      await call(client, "create_merchant", {
        external_id: "shop",
        name: "Παράδειγμα Α.Ε.",
        tax_id: "123456783",
      }),
    );
    const body = buildIssueBody(merchant);
    const { id } = dataOf(await call(client, "issue_document", body));
    expect(dataOf(await call(client, "issue_document", body)).id).toBe(id);
    const { pid } = transport;
    await client.close();
    expect(() => process.kill(pid ?? 0, 0)).toThrow("ESRCH");
    expect(stderr).toMatch(/^(?:Created the data directory .+\n)?$/);
    const { stdout } = await runBuilt(["documents", "list", "--json"], { folder });
    expect(JSON.parse(stdout)).toMatchObject({ data: [{ id, status: "issued" }] });
  },
);
