/** The forms that issue documents, in a browser: docs/contract.md#console-form-for-a-document and the two for credit notes. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser, type WatchedPage } from "../helpers/browser.ts";
import {
  type ConsoleBrowser,
  examine,
  openConsoleBrowser,
  tabTo,
  unexpectedTroubles,
  WAYS,
} from "../helpers/console-browser.ts";
import { invoice } from "../helpers/receipts.ts";
import { foundInvoice } from "../helpers/registered.ts";

let bench: ConsoleBrowser;
let marks = 400_001_000_000_000;

interface Form {
  name: string;
  /** The page that leads to the form, and its link there. */
  from(): Promise<string>;
  link: string;
  /** What comes before the field that is filled in. */
  begin?(page: WatchedPage): Promise<unknown>;
  field: string;
  value: string;
  /** What comes after it. */
  finish?(page: WatchedPage): Promise<unknown>;
  /** It is itself the answer to a form, to which browsers with scripts do not go back. */
  isAnswer?: true;
  /** The button of the preview. */
  issue: string;
  /** What the preview does once the document is issued: leads to it, or says so. */
  repeated: "leads to it" | "says so";
}

/** Issues an invoice of 2.5 at 12.00 and 6 at 3.50, and returns the path of its page. */
async function issued(): Promise<string> {
  const body = { merchant: bench.server.merchant, document: invoice("").document };
  const { body: answer } = await bench.server.post("/api/v1/documents", body);
  await bench.server.settle();
  return `/console/documents/${answer.data.id}`;
}

const NEW: Form = {
  name: "a new document",
  from: async () => "/console/documents",
  link: 'a[href="/console/new"]',
  async begin(page) {
    await page.locator("#type").selectOption("11.1");
    await page.locator("#description-1").fill("Καφές");
  },
  field: "#price-1",
  value: "3",
  issue: '[action="/console/new"] .primary',
  repeated: "leads to it",
};

const FORMS: readonly Form[] = [
  NEW,
  {
    name: "a document that is repeated",
    from: issued,
    link: 'a[href$="/repeat"]',
    field: "#price-1",
    value: "7",
    issue: 'main form:not([action$="/preview"]) .primary',
    repeated: "leads to it",
  },
  {
    name: "a credit note",
    from: issued,
    link: 'a[href$="/credit"]',
    field: "#quantity-1",
    value: "1,5",
    finish: (page) => page.locator("#quantity-2").fill("0"),
    issue: 'main form:not([action$="/preview"]) .primary',
    repeated: "says so",
  },
];

/** Credits an invoice of another program, which a provider must be connected for. */
const OF_ANOTHER: Form = {
  name: "a credit note about an invoice of another program",
  from: async () => "/console/documents",
  link: 'a[href="/console/credit"]',
  async begin(page) {
    await page.locator("#mark").fill("4x");
    await page.locator("#mark").press("Enter");
    await page.locator('[role="alert"]:focus').waitFor();
    await page.locator("#mark").fill(String((marks += 1)));
    await page.locator("#mark").press("Enter");
  },
  field: "#quantity-1",
  value: "0,25",
  isAnswer: true,
  issue: '[action="/console/credit"] .primary',
  repeated: "leads to it",
};

const DOCUMENT = /\/console\/documents\/doc_[^/]+$/;

async function count(): Promise<number> {
  const { body } = await bench.server.get("/api/v1/documents?limit=100");
  return body.data.length;
}

const inEachWay = (forms: readonly Form[]) =>
  forms.flatMap((form) => WAYS.map((way) => ({ ...form, way, how: way.how })));

/** Reaches the form with the keyboard, makes a mistake, previews, goes back, loses the session, and issues. */
async function issueOnce(form: ReturnType<typeof inEachWay>[number]): Promise<void> {
  const { way, field, value } = form;
  const from = await form.from();
  const page = await bench.open(from, way.options);
  const before = await count();
  const typed = () => page.locator(field).inputValue();
  const preview = async () => {
    await page.locator(field).press("Enter");
    await page.locator(form.issue).waitFor();
  };
  const reach = async () => {
    await tabTo(page, form.link);
    await page.keyboard.press("Enter");
    await form.begin?.(page);
    await page.locator(field).waitFor();
  };
  await reach();
  await examine(page, way);
  await page.locator(field).fill("x");
  await page.locator(field).press("Enter");
  await page.locator('[role="alert"]:focus').waitFor();
  await examine(page, way);
  await page.goto(bench.origin + from);
  await reach();
  await tabTo(page, field);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(value);
  await form.finish?.(page);
  await preview();
  await examine(page, way);
  if (form.isAnswer !== true) {
    await page.goBack();
    expect(await typed()).toBe(value);
    await preview();
  }
  await bench.signInAgain(page, () => page.locator(form.issue).press("Enter"));
  await page.locator(field).waitFor();
  expect([await typed(), await count()]).toEqual([value, before]);
  await preview();
  await page.locator(form.issue).dblclick();
  // The second click aborts the navigation of the first, which waitForURL reports as a failure.
  await expect.poll(() => page.url()).toMatch(DOCUMENT);
  await page.waitForLoadState();
  const result = page.url();
  await page.reload();
  await page.goBack();
  if (form.repeated === "leads to it") {
    await page.locator(form.issue).press("Enter");
    await page.waitForURL(result);
  } else {
    await page.locator(field).waitFor();
    expect(await page.locator('[role="alert"]').textContent()).toMatch(/already issued|ήδη εκδώσει/);
  }
  expect(await count()).toBe(before + 1);
  expect(unexpectedTroubles(page)).toEqual([]);
}

describe.skipIf(!hasBrowser)("a form issues once, and loses nothing:", () => {
  beforeAll(async () => {
    bench = await openConsoleBrowser();
  });
  afterEach(() => bench.closePages());
  afterAll(() => bench?.close());

  test.each(inEachWay(FORMS))("$name, $how", issueOnce);

  test("the form for a new document is filled in with the keyboard", async () => {
    const [way] = WAYS;
    const page = await bench.open("/console/new", way!.options);
    await NEW.begin!(page);
    await page.locator("#price-1").fill("0,50");
    await page.locator("#description-2").focus();
    await page.keyboard.type("Τσάι");
    await page.keyboard.press("Tab");
    await page.keyboard.type("2,5");
    for (const key of ["Tab", "Tab"]) await page.keyboard.press(key);
    await page.keyboard.type("5");
    await page.keyboard.press("Alt+ArrowUp");
    await page.locator("#price-1:focus").waitFor();
    expect(await page.locator("#announcement").textContent()).toBe("Moved: it is now line 1");
    await page.locator("#totals", { hasText: "Gross €16.12" }).waitFor();
    await page.keyboard.press("Alt+Enter");
    await page.locator("#description-4:focus").waitFor();
    await page.reload();
    expect(await page.locator("#description-1").inputValue()).toBe("Τσάι");
    await page.locator("#price-1").press("Enter");
    await page.locator(NEW.issue).press("Enter");
    await page.waitForURL(DOCUMENT);
    await bench.server.settle();
    await page.reload();
    await page.locator("#now", { hasText: /4000[0-9]+/ }).waitFor();
    await examine(page, way!);
    await page.goto(`${bench.origin}/console/new`);
    expect(await page.locator("#description-1").inputValue()).toBe("");
    expect(unexpectedTroubles(page)).toEqual([]);
  });

  test("a new tax number brings its own customer, and a wrong one is said at once", async () => {
    const page = await bench.open("/console/new", WAYS[0]!.options);
    const name = page.locator("#customer_name");
    const type = async (number: string) => {
      await page.locator("#customer").fill(number);
      await page.locator("#customer").press("Tab");
    };
    await page.locator("#type").selectOption("1.1");
    await type("094012834");
    await expect.poll(() => name.inputValue()).not.toBe("");
    const found = await name.inputValue();
    await name.fill("ΓΡΑΜΜΕΝΗ ΑΕ");
    await type("094012835");
    await page.locator("#customer-mistake", { hasText: "wrong check digit" }).waitFor();
    await type("094014201");
    await page.locator("#customer-mistake").waitFor({ state: "detached" });
    await expect.poll(() => name.inputValue()).toBe(found);
    await examine(page, WAYS[0]!);
    expect(unexpectedTroubles(page)).toEqual([]);
  });

  test("lines are added and moved without scripts", async () => {
    const way = WAYS[1]!;
    const page = await bench.open("/console/new", way.options);
    await page.locator('[value="add"]').press("Enter");
    await page.locator("#description-4:focus").fill("Τσάι");
    await page.locator('[value="up-4"]').press("Enter");
    await page.locator("#description-3:focus").waitFor();
    expect(await page.locator("#description-3").inputValue()).toBe("Τσάι");
    await examine(page, way);
  });
});

describe.skipIf(!hasBrowser)("with a connected provider, a form issues once, and loses nothing:", () => {
  beforeAll(async () => {
    bench = await openConsoleBrowser();
    Object.assign(bench.server.provider.adapter, {
      readDocument: async (asked: { mark: string }) => foundInvoice(asked.mark),
    });
    await bench.server.connect();
  });
  afterEach(() => bench.closePages());
  afterAll(() => bench?.close());

  test.each(inEachWay([OF_ANOTHER]))("$name, $how", issueOnce);
});
