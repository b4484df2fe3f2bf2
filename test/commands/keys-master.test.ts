import { randomBytes } from "node:crypto";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Rotation } from "../../src/keys/rotation.ts";
import { openWorkshop } from "../helpers/program.ts";
import { CAN_MOUNT, mountSmallDisk } from "../helpers/small-disk.ts";
import { forEachTest } from "../helpers/set-up.ts";

let keyFile: string;
const workshop = forEachTest(openWorkshop);
beforeEach(async () => {
  keyFile = join(workshop.folder, "data", "master.key");
  await workshop.run(["init", "--yes"]);
});

const KEY = randomBytes(32);

describe("keys rotate-master", () => {
  test("replaces the key and says where the old one is, without showing either", async () => {
    const old = readFileSync(keyFile, "utf8").trim();
    const run = await workshop.run(["keys", "rotate-master", "--yes"], { terminal: true });
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toMatch(/has replaced .*\n.*master\.key\.retired-/);
    const key = readFileSync(keyFile, "utf8").trim();
    expect(key).not.toBe(old);
    for (const secret of [old, key]) expect(run.stdout + run.stderr).not.toContain(secret);
    expect((await workshop.run(["keys", "list"])).exitCode).toBe(0);
  });

  test.each([KEY.toString("hex"), KEY.toString("base64"), `# made elsewhere\n${KEY.toString("hex")}\n`])(
    "takes the new key from a file",
    async (text) => {
      writeFileSync(join(workshop.folder, "new"), text);
      const run = await workshop.run(["--json", "keys", "rotate-master", "--yes", "--new-key-file", "new"]);
      expect(run.json<Rotation>()).toMatchObject({ object: "master_key_rotation", resumed: false });
      expect(readFileSync(keyFile, "utf8").trim()).toBe(KEY.toString("hex"));
    },
  );

  test.skipIf(!CAN_MOUNT)("explains what to do for a key on a read-only disk", async () => {
    const disk = mountSmallDisk(1);
    try {
      const handed = join(disk.folder, "master_key");
      copyFileSync(keyFile, handed);
      disk.remountReadOnly();
      const run = await workshop.run(["keys", "rotate-master", "--yes"], {
        env: { FISCAL_SECURITY__MASTER_KEY_FILE: handed },
      });
      expect({ ...run, stderr: "" }).toMatchObject({ exitCode: 78, stdout: "" });
      expect(run.stderr).toMatch(
        /master_key cannot be replaced: .*reading only\. Nothing was changed\. .*FISCAL_MASTER_KEY/,
      );
      expect(run.stderr.trim().split("\n")).toHaveLength(1);
    } finally {
      disk.remove();
    }
    expect((await workshop.run(["keys", "list"])).exitCode).toBe(0);
  });

  test("names the variables to set for a key in the environment", async () => {
    const old = readFileSync(keyFile, "utf8").trim();
    const run = await workshop.run(["keys", "rotate-master", "--yes"], { env: { FISCAL_MASTER_KEY: old } });
    expect(run.exitCode).toBe(78);
    expect(run.stderr).toContain("FISCAL_MASTER_KEY_PREVIOUS");
  });
});
