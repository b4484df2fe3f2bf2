import { execFile } from "node:child_process";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { join } from "node:path";
import { expect, test } from "vitest";

const MEMORY = pathToFileURL(join(import.meta.dirname, "../../commands/memory.ts")).href;

/** Keeps enough new objects that V8 would make their space as large as it may be. */
const SCRIPT = `
  import { getHeapSpaceStatistics } from "node:v8";
  import { keepServerSmall } from ${JSON.stringify(MEMORY)};
  keepServerSmall();
  let kept = [];
  for (let round = 0; round < 10; round += 1) kept = Array.from({ length: 200000 }, () => ({ round }));
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
  console.log(space.space_size / 1024 / 1024);
`;

test("the space for new objects of a server has 16 MB, however many objects are in use", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", SCRIPT]);
  expect(Number(stdout)).toBe(16);
});
