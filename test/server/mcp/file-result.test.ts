import { expect, test } from "vitest";
import { toolResultOf } from "../../../server/mcp/call.ts";
import { file } from "../../../src/operations/operation.ts";

function resultOf(size: number) {
  const bytes = new Uint8Array(size);
  const result = file({ bytes, contentType: "application/pdf", name: "TIM-1.pdf" });
  return toolResultOf({ result }, "req_1");
}

test("a file of up to 1 MiB is in the result; a larger one is only described, with where to get it", () => {
  expect(resultOf(1_048_576).content[1]).toMatchObject({ type: "resource" });
  const { content, structuredContent } = resultOf(1_048_577);
  expect(content[1]).toMatchObject({ type: "text", text: expect.stringContaining("fiscal documents pdf") });
  expect(structuredContent).toMatchObject({ data: { bytes: 1_048_577 } });
});
