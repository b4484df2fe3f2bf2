/** Somebody changes an issued document in the database, and waits for the program to write an event about it. */
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { audit } from "../../../src/upkeep/audit/audit-journal.ts";
import { noteForgottenEvent } from "../../../storage/journal/event-notes.ts";
import { buildIssueBody } from "../../helpers/appliance.ts";
import { openServer } from "../../helpers/http.ts";
import { forAllTests } from "../../helpers/set-up.ts";

const server = forAllTests(openServer);

async function findProblems(): Promise<string> {
  const { read, cipher } = server.appliance.store;
  const { problems } = await audit(read, cipher);
  return problems.map(({ message }) => message.en).join("\n");
}

async function issue(): Promise<string> {
  const answer = await server.post("/api/v1/documents", buildIssueBody(server.merchant));
  await server.settle();
  return answer.body.data.id as string;
}

function change(id: string, assignments: string): void {
  const database = new Database(server.appliance.config.storage.database);
  database.prepare(`update documents set ${assignments} where id = ?`).run(id);
  database.close();
}

const NOT_AS_ISSUED = "is not as it was issued";

test.each([
  ["QR address", "qr_url = 'https://example.com'"],
  ["number", "number = 900"],
  ["connection", "provider_ref = 'x'"],
])("a %s that was changed before the document was cancelled is found", async (_name, assignments) => {
  const id = await issue();
  change(id, assignments);
  expect((await server.post(`/api/v1/documents/${id}/cancel`, {})).status).toBe(200);
  expect(await findProblems()).toContain(`${id} ${NOT_AS_ISSUED}`);
});

test("a MARK that was exchanged by issuing the document a second time is found", async () => {
  const id = await issue();
  change(id, "status = 'failed', phase = 'failed', mark = null, uid = null, qr_url = null");
  expect((await server.post(`/api/v1/documents/${id}/retry`, {})).status).toBe(200);
  await server.settle();
  expect(await findProblems()).toContain(`${id} ${NOT_AS_ISSUED}`);
});

test("a cancellation that was removed, so that the document was cancelled again, is found", async () => {
  const id = await issue();
  expect((await server.post(`/api/v1/documents/${id}/cancel`, {})).status).toBe(200);
  change(id, "cancellation_mark = null, cancelled_at = null");
  server.advance(60_000);
  const again = await server.post(`/api/v1/documents/${id}/cancel`, {});
  expect(again.status).toBe(200);
  expect(await findProblems()).toContain(`${id} is not as it was cancelled`);
});

test("a document that was issued and cancelled by the program is not reported", async () => {
  const id = await issue();
  expect((await server.post(`/api/v1/documents/${id}/cancel`, {})).status).toBe(200);
  expect(await findProblems()).not.toContain(id);
});

test("an event that was forgotten sooner than retention allows is found", async () => {
  await server.appliance.store.write(async (trx) => {
    const [event] = await trx.query((db) =>
      db.selectFrom("events").selectAll().where("type", "=", "merchant.created"),
    );
    await noteForgottenEvent(trx, event!);
    await trx.query((db) => db.deleteFrom("events").where("id", "=", event!.id));
  });
  expect(await findProblems()).toContain("was forgotten sooner than any retention setting allows");
});
