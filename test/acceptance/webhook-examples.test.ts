/** Runs the examples that receivers are copied from, as their users run them, against the product's signatures. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { signatureHeaders } from "../../src/webhooks/signature.ts";

const EXAMPLES = resolve(import.meta.dirname, "../../examples/webhooks");

const SECRET = `whsec_${Buffer.alloc(32, 50).toString("base64")}`;
const OTHER = `whsec_${Buffer.alloc(32, 60).toString("base64")}`;
const BODY = JSON.stringify({
  id: "evt_1",
  type: "document.issued",
  data: { object: { name: "Καφές / ½ kg" } },
});

interface Case {
  secret?: string;
  header: string;
  body?: string;
}

const seconds = () => Math.floor(Date.now() / 1000);

function sign(key: string | Buffer, atSeconds: number = seconds(), body: string = BODY): string {
  return createHmac("sha256", key).update(`${atSeconds}.${body}`).digest("hex");
}

/** The product's own header. */
function headerOf(secrets: readonly string[], atSeconds: number = seconds()): string {
  return signatureHeaders(secrets, { id: "evt_1", body: BODY, atSeconds })["service-signature"] ?? "";
}

const NINE = Array.from(
  { length: 9 },
  (_none, index) => `whsec_${Buffer.alloc(32, index).toString("base64")}`,
);

/** Built when used, because a header is valid for five minutes. */
const GENUINE: readonly (readonly [string, () => Case])[] = [
  ["as the product signs", () => ({ header: headerOf([SECRET]) })],
  ["while its secret is replaced", () => ({ header: headerOf([OTHER, SECRET]) })],
  ["as the eighth of eight", () => ({ header: headerOf([...NINE.slice(0, 7), SECRET]) })],
  ["with unknown elements", () => ({ header: `v2=x,${headerOf([SECRET])},v0=y,z` })],
  ["almost five minutes old", () => ({ header: headerOf([SECRET], seconds() - 290) })],
  ["almost five minutes early", () => ({ header: headerOf([SECRET], seconds() + 290) })],
];

const REFUSED: readonly (readonly [string, () => Case])[] = [
  ["another secret", () => ({ header: headerOf([OTHER]) })],
  ["an empty secret", () => ({ secret: "", header: headerOf([SECRET]) })],
  ["another body", () => ({ header: headerOf([SECRET]), body: `${BODY}\n` })],
  ["too old", () => ({ header: headerOf([SECRET], seconds() - 310) })],
  ["too early", () => ({ header: headerOf([SECRET], seconds() + 310) })],
  ["another timestamp", () => ({ header: `t=${seconds()},v1=${sign(SECRET, seconds() - 60)}` })],
  ["no header", () => ({ header: "" })],
  ["no timestamp", () => ({ header: `v1=${sign(SECRET)}` })],
  ["a timestamp that is no number", () => ({ header: `t=soon,v1=${sign(SECRET)}` })],
  ["a timestamp beyond all numbers", () => ({ header: `t=${"9".repeat(40)},v1=${sign(SECRET)}` })],
  ["no signature", () => ({ header: `t=${seconds()}` })],
  ["an empty signature", () => ({ header: `t=${seconds()},v1=` })],
  ["half a signature", () => ({ header: headerOf([SECRET]).slice(0, -32) })],
  ["a signature with something behind it", () => ({ header: `${headerOf([SECRET])}00` })],
  ["a signature in Greek", () => ({ header: `t=${seconds()},v1=υπογραφή` })],
  ["another scheme", () => ({ header: headerOf([SECRET]).replace("v1=", "v2=") })],
  ["the key decoded", () => ({ header: `t=${seconds()},v1=${sign(Buffer.alloc(32, 50))}` })],
  ["the ninth of nine", () => ({ header: headerOfNine() })],
];

/** The product never sends nine, but an attacker might. */
function headerOfNine(): string {
  const at = seconds();
  const signatures = [...NINE.slice(0, 8), SECRET].map((secret) => `v1=${sign(secret, at)}`);
  return `t=${at},${signatures.join(",")}`;
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscal-examples-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Language {
  name: string;
  runtime: string;
  /** A preparation that runs once. */
  prepare?(): void;
  command(): readonly [string, ...string[]];
}

const LANGUAGES: readonly Language[] = [
  {
    name: "TypeScript",
    runtime: process.execPath,
    command: () => [process.execPath, join(EXAMPLES, "verify.ts")],
  },
  { name: "Python", runtime: "python3", command: () => ["python3", join(EXAMPLES, "verify.py")] },
  { name: "PHP", runtime: "php", command: () => ["php", join(EXAMPLES, "verify.php")] },
  {
    name: "C#",
    runtime: "dotnet",
    prepare() {
      cpSync(join(EXAMPLES, "csharp"), join(folder, "csharp"), { recursive: true });
      const built = spawnSync("dotnet", ["build", "--output", join(folder, "built")], {
        cwd: join(folder, "csharp"),
        encoding: "utf8",
      });
      if (built.status !== 0) throw new Error(`The C# example does not compile: ${built.stdout}`);
    },
    command: () => ["dotnet", join(folder, "built", "Verify.dll")],
  },
];

/** Compiling C# is slow, especially in the first run on a machine. */
const PREPARE_MS = 180_000;

const isHere = (runtime: string) => spawnSync(runtime, ["--version"]).status === 0;

describe.each(LANGUAGES)("the example in $name", ({ name, runtime, prepare, command }) => {
  if (!isHere(runtime)) {
    test(`is skipped: ${runtime} is not on this machine`, ({ skip }) => skip());
    return;
  }

  describe("verifies", () => {
    beforeAll(() => prepare?.(), PREPARE_MS);

    function verify({ secret = SECRET, header, body = BODY }: Case): {
      status: number | null;
      stdout: string;
    } {
      const [program, ...args] = command();
      const env = { ...process.env, FISCAL_WEBHOOK_SECRET: secret };
      const { status, stdout, stderr } = spawnSync(program, [...args, header], {
        input: body,
        env,
        encoding: "utf8",
      });
      expect(stderr, name).toBe("");
      return { status, stdout: stdout.trim() };
    }

    test.each(GENUINE)("genuine: %s", (_what, build) => {
      expect(verify(build())).toEqual({ status: 0, stdout: "genuine" });
    });

    test.each(REFUSED)("refused: %s", (_what, build) => {
      expect(verify(build())).toEqual({ status: 1, stdout: "refused" });
    });
  });
});

describe("the example receiver", () => {
  let child: ChildProcess | undefined;
  afterEach(async () => {
    if (child === undefined) return;
    const closed = once(child, "close");
    child.kill("SIGKILL");
    await closed;
  });

  test("accepts a genuine delivery once, acknowledges a repetition, and refuses everything else", async () => {
    const started = spawn(process.execPath, [join(EXAMPLES, "receiver.ts")], {
      env: { ...process.env, FISCAL_WEBHOOK_SECRET: SECRET, PORT: "0" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    child = started;
    const lines = createInterface(started.stdout)[Symbol.asyncIterator]();
    const next = async () => (await lines.next()).value as string;
    const url = (await next()).replace("listening on ", "");
    const post = async (id: string, header: string) => {
      const body = JSON.stringify({ ...JSON.parse(BODY), id });
      const response = await fetch(url, { method: "POST", body, headers: { "service-signature": header } });
      return response.status;
    };
    const headerFor = (id: string, secret = SECRET) =>
      `t=${seconds()},v1=${sign(secret, seconds(), JSON.stringify({ ...JSON.parse(BODY), id }))}`;
    expect(await post("evt_1", headerFor("evt_1", OTHER))).toBe(401);
    expect(await post("evt_1", headerFor("evt_2"))).toBe(401);
    expect(await post("evt_1", headerFor("evt_1"))).toBe(200);
    expect(await post("evt_1", headerFor("evt_1"))).toBe(200);
    expect(await post("evt_2", headerFor("evt_2"))).toBe(200);
    // One line for each of the two, and none for rejected or repeated ones.
    for (let line = 0; line < 2; line += 1) expect(await next()).toMatch(/^document\.issued /);
    started.kill("SIGTERM");
    expect(await lines.next()).toMatchObject({ done: true });
  });
});
