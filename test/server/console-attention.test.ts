import { describe, expect, test } from "vitest";
import { insertSurplusMark } from "../../storage/documents/surplus-marks.ts";
import { NO_RETRIES } from "../helpers/appliance.ts";
import { fieldsOf, signedIn } from "../helpers/console.ts";
import { buildDocument } from "../helpers/documents.ts";
import { openServer } from "../helpers/http.ts";
import { forEachTest } from "../helpers/set-up.ts";

const server = forEachTest(() => openServer({ env: NO_RETRIES }));
const visitor = forEachTest(() => signedIn(server));

async function issue(scene: string, reference?: string): Promise<string> {
  const extra = { metadata: { sandbox: scene }, ...(reference && { external_reference: reference }) };
  return (await server.issued(extra)).id;
}

/** The part of the overview with items that need attention. */
async function attention(): Promise<string> {
  const { html } = await visitor.get("/console");
  return /<div[^>]*id="attention"[\s\S]*?<div[^>]*id="days"/.exec(html)?.[0] ?? "";
}

describe("items that need attention", () => {
  test("include rejected documents until their reference is issued or a week has passed", async () => {
    const [alone, corrected, other] = [
      await issue("rejected"),
      await issue("rejected", "A-1"),
      await issue("rejected", "A-2"),
    ];
    await issue("issued", "A-1");
    await issue("rejected", "A-3");
    const again = await issue("unavailable", "A-3");
    const shown = await attention();
    expect(shown).toContainAll("Rejected in the last 7 days and not issued again", alone, other, again);
    expect(shown).not.toContain(corrected);
    // Only failed documents can be sent again unchanged.
    expect(shown.match(/\/retry"/g)).toHaveLength(1);
    server.advance(7 * 86_400_000);
    expect(await attention()).not.toContain(alone);
  });

  // docs/contract.md#highest-mark-wins
  test("include documents that the authority registered again after they were issued", async () => {
    const id = await issue("issued");
    await server.appliance.store.write((trx) =>
      insertSurplusMark(trx, {
        document_id: id,
        mark: "400000000000009",
        state: "later",
        due_at: null,
        found_at: trx.now,
      }),
    );
    const shown = await attention();
    expect(shown).toContain("Registered again at the authority after their MARK was reported");
    expect(shown).toContainAll("the later MARK 400000000000009 as the valid one", id);
  });

  test("link to the full list if there are more", async () => {
    for (let count = 0; count < 6; count += 1) await issue("rejected");
    expect(await attention()).toContain('href="/console/documents?status=rejected"');
  });
});

test("a rejected document says what to do, and is corrected and issued again", async () => {
  const customer = { tax_id: { country: "GR", code: "099999999" }, name: "ΑΝΕΝΕΡΓΗ ΑΕ" };
  const document = buildDocument("1.1", { customer });
  const { id } = await server.issued({ external_reference: "A-7", document });
  const page = await visitor.get(`/console/documents/${id}`);
  expect(page.html).toContainAll("a tax number is not active", "ask the customer for the correct one");
  const path = `/console/documents/${id}/correct`;
  expect(page.html).toContain(`href="${path}"`);
  const form = await visitor.get(path);
  expect(fieldsOf(form)).toMatchObject({
    customer: "099999999",
    reference: "A-7-2",
    issue_date: "2026-11-02",
  });
  const shown = await visitor.submit("/console/new/preview", form, { customer: "094012834" });
  expect(await attention()).toContain(id);
  const done = await visitor.submit("/console/new", shown);
  await server.settle();
  const { html } = await visitor.follow(done);
  expect(html).not.toContain("ΑΝΕΝΕΡΓΗ");
  expect(html).toContain("A-7-2");
  expect(await attention()).not.toContain(id);
  const issued = done.headers.get("location")!;
  const other = await visitor.submit("/console/new/preview", form, { customer: "094064321" });
  expect((await visitor.submit("/console/new", other)).html).toMatch(/It was corrected already, by TIM \d+/);
  expect((await visitor.get(path)).status).toBe(409);
  const old = await visitor.get(`/console/documents/${id}`);
  expect(old.html).toContain(`href="${issued}">Its correction`);
  expect(old.html).not.toContain(`href="${path}"`);
  expect((await visitor.get(`${issued}/correct`)).status).toBe(409);
});

test("focuses the result of an action, or its error", async () => {
  const id = await issue("issued");
  const cancel = `/console/documents/${id}/cancel`;
  const done = await visitor.follow(await visitor.post(cancel, {}, { from: cancel }));
  expect(done.html).toMatch(
    /<div class="flash" role="status" tabindex="-1" autofocus><p>The document was cancelled/,
  );
  const failed = await visitor.post(cancel, {}, { from: "/console" });
  expect(failed.html).toMatch(/role="alert" tabindex="-1" autofocus>/);
  expect(done.html.match(/autofocus/g)).toHaveLength(1);
});

test("every page shows that the appliance is held, and what to do, in both languages", async () => {
  expect((await visitor.get("/console")).html).not.toContain("fiscal resume");
  await server.hold();
  for (const path of ["", "/documents", "/merchants", "/nothing"]) {
    const { html } = await visitor.get(`/console${path}`);
    expect(html).toMatch(/<strong>Held\.<\/strong> It was restored .* <code>fiscal resume<\/code>/);
  }
  const greek = await visitor.get("/console", { "accept-language": "el" });
  expect(greek.html).toMatch(/Επαναφέρθηκε από αντίγραφο .* <code>fiscal resume<\/code>/);
});
