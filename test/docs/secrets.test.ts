/** Tries the patterns and the check of docs/secrets.md, which people copy into scanners, on generated secrets. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import vm from "node:vm";
import { beforeAll, describe, expect, test } from "vitest";
import { openServer } from "../helpers/http.ts";
import { forAllTests } from "../helpers/set-up.ts";

const TEXT = readFileSync(resolve(import.meta.dirname, "../../docs/secrets.md"), "utf8");

function fence(language: string): string {
  return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(TEXT)![1]!;
}

/** Returns the pattern in a row of the table for scanners. */
function patternOf(what: string): RegExp {
  const row = new RegExp(`^\\| ${what} \\| \`(.*)\` \\|$`, "m").exec(TEXT)![1]!;
  return new RegExp(row.replaceAll("\\|", "|"));
}

interface SecretlintRules {
  rules: { options: { patterns: { name: string; patterns: string[] }[] } }[];
}

/** Returns a pattern of the rules for secretlint. */
function ruleOf(name: string): RegExp {
  const { rules } = JSON.parse(fence("json")) as SecretlintRules;
  const [pattern] = rules[0]!.options.patterns.find((rule) => rule.name === name)!.patterns;
  return new RegExp(pattern!.slice(1, -1));
}

let webhookSecret: string;
const server = forAllTests(openServer);
beforeAll(async () => {
  const body = { url: "https://example.com/", enabled_events: ["*"] };
  webhookSecret = (await server.post("/api/v1/webhook_endpoints", body)).body.data.secret;
});

describe("the patterns", () => {
  test.each([patternOf("API key pattern"), ruleOf("fiscal API key")])("find API keys: %s", (pattern) => {
    for (const key of [server.testKey, server.liveKey]) {
      expect(pattern.exec(`KEY="${key}"\n`)?.[0]).toBe(key);
      expect(pattern.test(`${key}x`)).toBe(false);
      expect(pattern.test(key.slice(0, -1))).toBe(false);
      expect(pattern.test(`x${key}`)).toBe(false);
    }
  });

  test.each([patternOf("Webhook secret pattern"), ruleOf("fiscal webhook secret")])(
    "find webhook secrets: %s",
    (pattern) => {
      expect(pattern.exec(`secret: ${webhookSecret},`)?.[0]).toBe(webhookSecret);
      expect(pattern.test(webhookSecret.slice(0, -2))).toBe(false);
    },
  );
});

test("the check distinguishes keys from text that only looks like one", () => {
  const context = vm.createContext({ require: createRequire(import.meta.url) });
  const isKey = vm.runInContext(`${fence("js")};isKey`, context) as (text: string) => boolean;
  for (const key of [server.testKey, server.liveKey]) {
    expect(isKey(key)).toBe(true);
    const last = key.at(-1) === "0" ? "1" : "0";
    expect(isKey(key.slice(0, -1) + last)).toBe(false);
    expect(isKey(key.replace("fiscal_", "fisca1_"))).toBe(false);
  }
});
