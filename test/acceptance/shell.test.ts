/** The built program in real shells: completion, closed input, and output that cannot be written. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const run = promisify(execFile);
const BIN = resolve(import.meta.dirname, "../../bin/fiscal.js");

async function isInstalled(tool: string): Promise<boolean> {
  return run("sh", ["-c", `command -v ${tool}`]).then(
    () => true,
    () => false,
  );
}

const hasBash = await isInstalled("bash");
const hasZsh = await isInstalled("zsh");
const hasFish = await isInstalled("fish");

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fiscal-shell-"));
  // Under its own name, as the scripts call it.
  await writeFile(join(folder, "fiscal"), `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`, {
    mode: 0o755,
  });
  await sh("fiscal merchants add --external-id shop --name Shop --tax-id 123456783");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function sh(script: string, shell = "sh"): Promise<string> {
  const env = {
    PATH: `${folder}:${process.env["PATH"] ?? ""}`,
    HOME: folder,
    FISCAL_DATA_DIR: `${folder}/data`,
  };
  return (await run(shell, ["-c", script], { env, cwd: folder })).stdout;
}

describe.skipIf(!existsSync("/dev/full"))("a full disk under the output", () => {
  test.each(["--version", "--help", "merchants list", "merchants list --json", "documents issue --help"])(
    "fiscal %s says so and exits with 1",
    async (args) => {
      const text = await sh(`fiscal ${args} 2>&1 >/dev/full; echo "exit $?"`);
      expect(text).toMatch(/The output cannot be written: the disk is full[^]*exit 1\n$/);
      expect(text).not.toMatch(/unexpected|ENOSPC/);
    },
  );

  test("exits with 1 if the error cannot be written either", async () => {
    expect(await sh('fiscal merchants list >/dev/full 2>&1; echo "exit $?"')).toBe("exit 1\n");
  });
});

/** The shell's own names of what it opened, never a device of this machine. */
describe.skipIf(!existsSync("/dev/fd"))("a descriptor as --output", () => {
  const TEMPLATE = "fiscal documents template --type 1.1 --output";

  test.each(["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])("%s is standard output", async (path) => {
    if (!existsSync(path)) return;
    expect(await sh(`${TEMPLATE} ${path} | head -n 1`)).toContain("reference,");
  });

  test("of a file continues it", async () => {
    await sh(`{ echo first; ${TEMPLATE} /dev/fd/3 3>&1; } >both.csv`);
    expect(await sh("cat both.csv")).toMatch(/^first\n\ufeffreference,/);
  });

  test.skipIf(!hasBash)("that bash makes of >(…) is written into", async () => {
    expect(await sh(`${TEMPLATE} >(head -n 1 >seen) && sleep 0.3 && cat seen`, "bash")).toContain(
      "reference,",
    );
  });
});

describe.skipIf(!hasBash)("bash", () => {
  /** The completions that Tab offers after `words`. */
  async function completed(...words: string[]): Promise<string[]> {
    const quoted = words.map((word) => `'${word}'`).join(" ");
    const script = `source <(fiscal completion bash); COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}
      _fiscal; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return (await sh(script, "bash")).split("\n").filter(Boolean);
  }

  test.each([
    { words: ["fiscal", "merch"], has: "merchants" },
    { words: ["fiscal", "documents", "list", "--status", "iss"], has: "issued" },
    { words: ["fiscal", "documents", "list", "--status", "=", "iss"], has: "issued" },
    { words: ["fiscal", "documents", "list", "--status", "="], has: "pending" },
    { words: ["fiscal", "merchants", "show", "sh"], has: "shop" },
    { words: ["fiscal", "documents", "issue", "fis"], has: "fiscal" },
  ])("completes $words", async ({ words, has }) => {
    expect(await completed(...words)).toContain(has);
  });

  test("is bound to the program's name", async () => {
    expect(await sh("source <(fiscal completion bash); complete -p fiscal", "bash")).toContain(
      "-F _fiscal fiscal",
    );
  });
});

describe.skipIf(!hasZsh)("zsh", () => {
  test("reads the script", async () => {
    await sh("fiscal completion zsh > _fiscal; zsh -n _fiscal");
  });
});

describe.skipIf(!hasFish)("fish", () => {
  test("reads the script, and completes", async () => {
    expect(await sh('fiscal completion fish | source; complete -C "fiscal merch"', "fish")).toContain(
      "merchants",
    );
  });
});

test("with its input closed it prints JSON, or an error with its exit code", async () => {
  expect(JSON.parse(await sh("fiscal merchants list --json <&-"))).toMatchObject({
    data: [{ name: "Shop" }],
  });
  const failed = await sh("fiscal merchants show nobody --json <&- 2>error.json; echo $?; cat error.json");
  expect(failed).toMatch(/^3\n\{[^]*"code": ?"not_found"/);
});
