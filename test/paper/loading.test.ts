import { resolve } from "node:path";
import { expect, test } from "vitest";
import { literalOf, runModule } from "../helpers/child.ts";
import { type Import, readImports } from "../helpers/imports.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const RENDER = "src/paper/render-pdf.ts";
const ENTRY = "src/paper/render-in-turn.ts";
/** Also draws with the renderer's libraries, and is loaded for a PDF only. */
const STATEMENT = "src/books/statement-pdf.ts";
const STATEMENT_USERS = ["commands/customers/statement.ts", "server/pages/console/customers.ts"];
/** Prints a QR code of the server's address on a terminal, for which it loads the library once it has started. */
const START_SCREEN = "commands/root/serve-start.ts";

/** The files that import `file`, directly or indirectly, without going through those that load it for a PDF or a code; includes `file`. */
function leadingTo(imports: readonly Import[], file: string): Set<string> {
  const leading = new Set([file]);
  for (const reached of leading) {
    for (const { from, to, isTypeOnly } of imports)
      if (to === reached && !isTypeOnly && ![ENTRY, START_SCREEN, ...STATEMENT_USERS].includes(from))
        leading.add(from);
  }
  return leading;
}

test("only render-in-turn.ts and the statement load the PDF renderer, and only renderers load its libraries", () => {
  const imports = readImports(ROOT, ["storage", "src", "server", "commands"]);
  expect(imports.filter(({ to }) => to === RENDER).map(({ from }) => from)).toEqual([STATEMENT, ENTRY]);
  for (const library of ["pdfkit", "qrcode"]) {
    const leading = [...leadingTo(imports, library)].filter((file) => file !== library);
    expect(leading.length).toBeGreaterThan(0);
    expect(leading.filter((file) => !file.startsWith("src/paper/") && file !== STATEMENT)).toEqual([]);
  }
});

/** Loads `file` in its own process and returns the PDF libraries that were loaded with it. */
function librariesWith(file: string): Promise<string> {
  return runModule(`
    import { registerHooks } from "node:module";
    const found = new Set();
    registerHooks({
      load(url, context, next) {
        const library = /node_modules\\/(pdfkit|fontkit|qrcode)\\//.exec(url)?.[1];
        if (library !== undefined) found.add(library);
        return next(url, context);
      },
    });
    await import(${literalOf(file)});
    process.stdout.write([...found].sort().join(" "));`);
}

test("the server and the queue start without the PDF libraries", async () => {
  const files = ["server/app.ts", "src/appliance.ts", "src/paper/document-pdf.ts", ENTRY];
  expect(await Promise.all(files.map(librariesWith))).toEqual(["", "", "", ""]);
  expect(await librariesWith(RENDER)).toBe("fontkit pdfkit");
});
