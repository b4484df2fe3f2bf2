/** Prints a paper in a process of its own, and says what its bytes come to: node print-paper.ts */
import { createHash } from "node:crypto";
import { renderPdf } from "../../src/documents/pdf/render.ts";
import { buildFullPaper } from "./papers.ts";

renderPdf(buildFullPaper()).then(
  (bytes) => void process.stdout.write(createHash("sha256").update(bytes).digest("hex")),
  (error: unknown) => {
    process.stderr.write(String(error));
    process.exitCode = 1;
  },
);
