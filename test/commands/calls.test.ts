/** `fiscal calls show`. */
import { expect, test } from "vitest";
import type { ProviderCallDetail, ProviderCallObject } from "../../src/logs/log-objects.ts";
import { issueAll } from "../helpers/issuing.ts";
import { receipt, openShop } from "../helpers/receipts.ts";
import { forEachTest } from "../helpers/set-up.ts";

const workshop = forEachTest(openShop);

const callsOf = (document: string) => workshop.list<ProviderCallObject>(`calls list --document ${document}`);

test("prints the fields, the request and the response", async () => {
  const [document] = await issueAll(workshop, [receipt("A-1")]);
  const call = (await callsOf(document!.id)).find(({ operation }) => operation === "issue");
  const asJson = await workshop.run(`calls show ${call!.id} --json`);
  expect(asJson.json<ProviderCallDetail>()).toMatchObject({ ...call, bodies_withheld: false });
  const read = await workshop.run(`calls show ${call!.id}`);
  expect(read.stdout).toMatch(/^operation +issue$/m);
  expect(read.stdout).toContainAll(/^request\n {2}POST \S+$/m, /^response\n {2}200$/m, document!.series!);
  expect(await workshop.run(`calls show ${call!.id} --live`)).toMatchObject({ exitCode: 3 });
});

test("explains a refusal in Greek to who reads Greek", async () => {
  const [document] = await issueAll(workshop, [receipt("A-1", "rejected")]);
  const [call] = await callsOf(document!.id);
  const shown = await workshop.run(`calls show ${call!.id}`, { env: { LANG: "el_GR.UTF-8" } });
  expect(shown.stdout).toContain("Το sandbox απέρριψε το παραστατικό");
});
