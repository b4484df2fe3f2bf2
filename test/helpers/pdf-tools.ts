/** Reads PDFs with independent programs found in `PATH`. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const TOOLS = ["qpdf", "pdffonts", "pdftotext", "pdfinfo", "pdftoppm", "zbarimg"];

/** Whether all of them are installed. */
export const hasPdfTools = TOOLS.every((tool) => spawnSync("which", [tool]).status === 0);

export interface ReadPdf {
  /** Problems found by qpdf; empty if there are none. */
  problems: string;
  /** Every font, and whether it is embedded. */
  fonts: { name: string; isEmbedded: boolean }[];
  pages: number;
  /** Text of each page, with white space collapsed. */
  texts: string[];
  /** The text of all pages. */
  text: string;
  /** Decodes the QR codes of a page rendered at 150 dots per inch. */
  codesOn(page: number): string[];
}

/** Reads `bytes` with all tools and passes the result to `use`. */
export function withPdf<T>(bytes: Uint8Array, use: (pdf: ReadPdf) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "fiscal-pdf-"));
  const file = join(folder, "document.pdf");
  const run = (tool: string, ...args: string[]) =>
    execFileSync(tool, args, { encoding: "utf8", stdio: "pipe" });
  try {
    writeFileSync(file, bytes);
    const checked = spawnSync("qpdf", ["--check", file], { encoding: "utf8" });
    const texts = run("pdftotext", "-layout", file, "-")
      .split("\f")
      .slice(0, -1)
      .map((text) => text.replaceAll(/\s+/g, " "));
    return use({
      problems: checked.status === 0 ? "" : checked.stderr,
      fonts: readFonts(run("pdffonts", file)),
      pages: Number(/^Pages: +(\d+)$/m.exec(run("pdfinfo", file))?.[1]),
      texts,
      text: texts.join(" "),
      codesOn(page) {
        const picture = join(folder, "page");
        run(
          "pdftoppm",
          "-r",
          "150",
          "-f",
          String(page),
          "-l",
          String(page),
          "-singlefile",
          "-png",
          file,
          picture,
        );
        return run("zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", `${picture}.png`)
          .trim()
          .split("\n");
      },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Parses lines of `name type encoding emb sub uni object` after two heading lines. */
function readFonts(table: string): ReadPdf["fonts"] {
  return table
    .trim()
    .split("\n")
    .slice(2)
    .map((line) => {
      const words = line.trim().split(/\s+/);
      return { name: words[0] ?? "", isEmbedded: words.at(-5) === "yes" };
    });
}
