import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { issue } from "../../helpers/issuing.ts";
import { openWorkshop, type Workshop } from "../../helpers/program.ts";
import { addShop, lines, receipt } from "../../helpers/receipts.ts";
import { forAllTests } from "../../helpers/set-up.ts";
import * as fc from "fast-check";
import { quote, unquote } from "../../../commands/completion/complete.ts";

let shop: string;
const workshop = forAllTests(openWorkshop);
beforeAll(async () => {
  shop = await addShop(workshop);
  await addShop(workshop, "Shore:1");
  await addShop(workshop, String.raw`l'été $1 \ "2"`);
  const stdin = lines([receipt("2026-001"), receipt("2026-002"), receipt(undefined)]);
  await workshop.run("documents issue - --merchant shop", { stdin });
  await workshop.run("keys create --mode test --name till");
  for (const url of ["https://example.com/gone", "https://example.com/kept"])
    await workshop.run(`webhooks add --url ${url} --events *`);
  const [, gone] = await workshop.list<{ id: string }>("webhooks list");
  await workshop.run(["webhooks", "remove", gone?.id ?? "", "--yes"]);
});

/** The completions of `fiscal …words`; the last word is being typed. */
async function offered(words: readonly string[], shell = "zsh", at: Workshop = workshop): Promise<string[]> {
  return (await answered(words, shell, at)).map(({ word }) => word);
}

async function answered(
  words: readonly string[],
  shell = "zsh",
  at: Workshop = workshop,
): Promise<{ word: string; about: string }[]> {
  const run = await at.runBare(["__complete", shell, "--", "fiscal", "--data-dir", "data", ...words]);
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  return run.stdout
    .split("\n")
    .filter(Boolean)
    .map((answer) => ({ word: answer.split("\t")[0] ?? "", about: answer.split("\t")[1] ?? "" }));
}

describe("commands, flags and values", () => {
  test.each<{ words: string[]; has: string[]; hasNot?: string[] }>([
    { words: [""], has: ["documents", "merchants", "completion"], hasNot: ["__complete"] },
    { words: ["do"], has: ["documents"], hasNot: ["merchants"] },
    { words: ["documents", ""], has: ["issue", "list", "template"] },
    { words: ["documents", "--json", "li"], has: ["list"] },
    { words: ["--live", "documents", "list", "--st"], has: ["--status", "--starting-after"] },
    { words: ["documents", "list", "--"], has: ["--merchant", "--json", "--help"] },
    { words: ["documents", "list", "--limit", "3", "--lim"], has: [], hasNot: ["--limit"] },
    { words: ["events", "list", "--type", "document.issued", "--ty"], has: ["--type"] },
    { words: ["documents", "credit", "A-1", "--line", "1", "--li"], has: ["--line"] },
    { words: ["documents", "list", "--status", ""], has: ["pending", "issued", "rejected", "failed"] },
    { words: ["documents", "list", "--status=is"], has: ["--status=issued"] },
    { words: ["documents", "list", "--type", "1"], has: ["1.1", "11.1"], hasNot: ["5.1"] },
    { words: ["connections", "add", "--provider", "reg"], has: ["registry_direct"], hasNot: ["sandbox"] },
    { words: ["keys", "create", "--mode", ""], has: ["test", "live"] },
    { words: ["completion", ""], has: ["bash", "zsh", "fish"] },
    { words: ["--lang", ""], has: ["el", "en"] },
    { words: ["documents", "issue", "--report", ""], has: [":files"] },
    { words: ["documents", "issue", ""], has: [":files"] },
    { words: ["webhooks", "add", "--events", "document.issued", "merchant."], has: ["merchant.created"] },
    { words: ["webhooks", "add", "--events", "document.issued", "--u"], has: ["--url"] },
    { words: ["webhooks", "add", "--events", "document.issued", "--url", ""], has: [] },
    { words: ["documents", "issue", "a.csv", ""], has: [":files"] },
    { words: ["--data-dir", ""], has: [":folders"], hasNot: [":files"] },
    { words: ["documents", "list", "--limit", ""], has: [], hasNot: [":files", "issue"] },
    { words: ["nonsense", "list", ""], has: [], hasNot: ["documents"] },
  ])("$words", async ({ words, has, hasNot = [] }) => {
    const found = await offered(words);
    expect(found).toEqual(expect.arrayContaining(has));
    if (has.length === 0) expect(found).toEqual([]);
    for (const word of hasNot) expect(found).not.toContain(word);
  });

  test("are the same after `fiscal help`", async () => {
    const run = await workshop.runBare("__complete fish -- fiscal help merchants unar");
    expect(run.stdout).toBe("unarchive\tissue for an archived merchant again\n");
  });

  test("have the descriptions of the help", async () => {
    expect(await answered(["documents", "pre"])).toEqual([
      { word: "preview", about: expect.stringContaining("nothing is sent") },
    ]);
  });
});

describe("names in the database", () => {
  test.each([
    { words: ["merchants", "show", ""], has: ["Shore:1", "shop"] },
    { words: ["merchants", "show", "SHO"], has: ["shop", "Shore:1"] },
    { words: ["documents", "list", "--merchant", "sho"], has: ["shop"] },
    { words: ["documents", "show", "2026-"], has: ["2026-001", "2026-002"] },
    { words: ["documents", "cancel", "alp "], has: ["ALP 1", "ALP 2"] },
    { words: ["documents", "list", "--merchant=sho"], has: ["--merchant=shop"] },
    { words: ["keys", "revoke", "t"], has: ["till"] },
    { words: ["numbering", "set", "--series", "A"], has: ["ALP"] },
  ])("$words", async ({ words, has }) => {
    expect(await offered(words)).toEqual(expect.arrayContaining(has));
  });

  test("are offered as ids with their names once an id is typed", async () => {
    expect(await answered(["merchants", "show", "mer_"])).toContainEqual({
      word: shop,
      about: "shop, Παράδειγμα Α.Ε.",
    });
    const ids = await offered(["documents", "show", "doc_"]);
    expect(ids).toEqual(Array(3).fill(expect.stringMatching(/^doc_/)));
  });

  test.each([
    { words: ["webhooks", "show", ""] },
    { words: ["webhooks", "replay", "we_"] },
    { words: ["events", "resend", "evt_1", "--endpoint", ""] },
    { words: ["webhooks", "list", "--starting-after", ""] },
  ])("$words offers the webhook endpoints in use", async ({ words }) => {
    const found = await answered(words);
    expect(found).toEqual([{ word: expect.stringMatching(/^we_/), about: "https://example.com/kept" }]);
  });

  test("are offered again for each event to replay", async () => {
    const [first = ""] = await offered(["webhooks", "replay", "we_1", "--event", ""]);
    expect(first).toMatch(/^evt_/);
    expect(await offered(["webhooks", "replay", "we_1", "--event", first, first])).toEqual([first]);
  });

  test("of a noun are offered as cursors of its list", async () => {
    const events = await offered(["events", "list", "--starting-after", ""]);
    expect(events.length).toBeGreaterThan(3);
    for (const id of events) expect(id).toMatch(/^evt_/);
  });

  test("belong to the mode of the line", async () => {
    expect(await offered(["--live", "documents", "show", "2026-"])).toEqual([]);
    expect(await offered(["--live", "merchants", "show", "shop"])).toEqual(["shop"]);
  });

  test("are quoted for bash, and contain only the part after a colon", async () => {
    await workshop.run("merchants add --external-id 'two words' --name W");
    expect(await offered(["merchants", "show", "two"], "bash")).toEqual(["two\\ words"]);
    expect(await offered(["merchants", "show", "shore", ":", ""], "bash")).toEqual(["1"]);
    expect(await offered(["documents", "list", "--merchant", "=", "sho"], "bash")).toContain("shop");
  });

  test.each([
    [[`"al`], ["ALP 1", "ALP 2", "ALP 3"]],
    [["'ALP "], ["ALP 1", "ALP 2", "ALP 3"]],
    [[`AL"P 1`], ["P 1"]],
    [
      ["--merchant", "=", `"sho`],
      ["Shore:1", "shop"],
    ],
    [["--merchant", `'Shore:`], ["Shore:1"]],
    [["--merchant", `'l`], [String.raw`l'\''été $1 \ "2"`]],
    [["--merchant", `"l`], [String.raw`l'été \$1 \\ \"2\"`]],
  ])("are written for bash as they belong after an open quotation mark: %j", async (words, has) => {
    expect((await offered(["documents", "show", ...words], "bash")).sort()).toEqual(has);
  });
});

test("numbers of documents are completed, the newest first", async () => {
  const given = [12, 1234].map((number) => ({ ...receipt(`B-${number}`), number }));
  await issue(workshop, given, ["--series", "OLD", "--no-wait"]);
  for (const typed of ["o", "OLD ", "old 12"])
    expect(await offered(["documents", "show", typed])).toEqual(["OLD 1234", "OLD 12"]);
  expect(await offered(["documents", "show", "OLD 3"])).toEqual([]);
});

describe("completion", () => {
  test("prints and creates nothing without a database", async () => {
    const run = await workshop.runBare("__complete bash -- fiscal --data-dir elsewhere merchants show ''");
    expect(run).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
    await expect(stat(workshop.at("elsewhere"))).rejects.toMatchObject({ code: "ENOENT" });
  });

  test.each([
    ["a configuration that cannot be read", ["--config", "broken.toml"]],
    ["a configuration that is not there", ["--config", "gone.toml"]],
  ])("ignores %s", async (_what, flags) => {
    await workshop.write("broken.toml", "[server");
    const line = ["fiscal", ...flags, "merchants", "show", ""];
    const run = await workshop.runBare(["__complete", "fish", "--", ...line]);
    expect(run).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
  });

  test("does not migrate a database of another version", async () => {
    const folder = workshop.at("other");
    await workshop.runBare("--data-dir other init --yes");
    const { default: Database } = await import("better-sqlite3");
    const database = new Database(join(folder, "fiscal.db"));
    database.pragma("user_version = 1");
    database.close();
    const run = await workshop.runBare("__complete zsh -- fiscal --data-dir other keys revoke ''");
    expect(run).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
  });

  test("neither needs nor creates the master key", async () => {
    const before = await readdir(workshop.at("data"));
    const run = await workshop.runBare("__complete zsh -- fiscal --data-dir data merchants show shop", {
      env: { FISCAL_MASTER_KEY: "0".repeat(64) },
    });
    expect(run.stdout).toBe("shop\tΠαράδειγμα Α.Ε.\n");
    expect(await readdir(workshop.at("data"))).toEqual(before);
  });
});

test.each(["", "'", '"'])("unquote reverses quoting for bash after the mark %j", (mark) => {
  const text = fc.string({ unit: fc.constantFrom(..."aά \\'\"$`"), minLength: 1 });
  fc.assert(fc.property(text, (word) => unquote(`${mark}${quote(word, mark)}${mark}`) === word));
});
