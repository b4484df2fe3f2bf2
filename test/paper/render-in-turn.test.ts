/** PDFs are made one after the other, and without their fonts say what is missing. */
import { expect, test, vi } from "vitest";
import { renderStatement } from "../../src/books/statement-pdf.ts";
import type { Statement } from "../../src/books/statement.ts";

const hasFonts = vi.hoisted(() => ({ value: true }));
vi.mock("node:fs", async (load) => {
  const fs = await load<typeof import("node:fs")>();
  return { ...fs, existsSync: (path: string) => hasFonts.value && fs.existsSync(path) };
});

const statement: Statement = {
  from: "2026-11-01",
  to: "2026-11-30",
  merchant: "shop",
  merchant_name: "Shop",
  customer: { country: "GR", code: "094012834", name: null },
  rows: [],
  total: 0n,
};

function render(mode: "test" | "live", renderer = renderStatement): Promise<Buffer> {
  return renderer(statement, { mode, language: "en", translate: ({ en }) => en });
}

test("a missing font is named, and the next PDF is made once it is there", async () => {
  vi.resetModules();
  const { renderStatement: first } = await import("../../src/books/statement-pdf.ts");
  hasFonts.value = false;
  await expect(render("test", first)).rejects.toMatchObject({
    code: "internal_error",
    message: expect.stringContaining("the font NotoSans_400Regular.ttf is missing"),
  });
  hasFonts.value = true;
  expect((await render("test", first)).subarray(0, 5).toString()).toBe("%PDF-");
});

test("statements beyond 30 that wait are refused, and those of the other mode do not wait for them", async () => {
  const asked = Array.from({ length: 40 }, () => render("test"));
  const settled = Promise.allSettled(asked);
  const first = await Promise.race([render("live").then(() => "live"), Promise.all(asked.slice(0, 31))]);
  const refusals = (await settled).filter(({ status }) => status === "rejected");
  expect(first).toBe("live");
  expect(refusals).toHaveLength(9);
  expect(refusals[0]).toMatchObject({ reason: { code: "service_unavailable", retryAfterSeconds: 2 } });
});
