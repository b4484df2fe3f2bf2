/** What other programs read in a PDF. Each is there where its name is in `PATH`. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const TOOLS = ["qpdf", "pdffonts", "pdftotext", "pdfinfo", "pdftoppm", "zbarimg"];

/** Whether every one of them is installed. */
export const hasPdfTools = TOOLS.every((tool) => spawnSync("which", [tool]).status === 0);

export interface ReadPdf {
  /** What qpdf finds wrong with the file. */
  problems: string;
  /** Name and whether it is embedded, for each font. */
  fonts: { name: string; isEmbedded: boolean }[];
  pages: number;
  /** Of each page, with white space as one space. */
  texts: string[];
  /** The text of all pages. */
  text: string;
  /** What the QR codes of a page say that is seen at 150 dots an inch. */
  codesOn(page: number): string[];
}

/** Reads `bytes` with all tools, and gives the answer to `use`. */
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

/** Lines of `name type encoding emb sub uni object`, under two of heading. */
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
