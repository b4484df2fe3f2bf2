import { chmodSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import type { PrintedDiagnosis } from "../../commands/root/doctor.ts";
import { HAS_OPENSSL, makePair, type PairOptions } from "../helpers/certificates.ts";
import { openWorkshop } from "../helpers/program.ts";
import { forEachTest } from "../helpers/set-up.ts";

const workshop = forEachTest(openWorkshop);
beforeEach(() => workshop.run("init --yes"));

type Settings = Record<string, string>;

/** The settings of a certificate and its key, and others. */
function pair(options: PairOptions = {}, more: Settings = {}): Settings {
  const { certFile, keyFile } = makePair(workshop.folder, "own", options);
  return { FISCAL_SERVER__TLS_CERT_FILE: certFile, FISCAL_SERVER__TLS_KEY_FILE: keyFile, ...more };
}

function readableKeyOfAnother(): Settings {
  const { keyFile } = makePair(workshop.folder, "other");
  chmodSync(keyFile, 0o644);
  return pair({}, { FISCAL_SERVER__TLS_KEY_FILE: keyFile });
}

async function fileThatIsNoSocket(): Promise<Settings> {
  await workshop.write("fiscal.sock", "");
  return { FISCAL_SERVER__SOCKET: "fiscal.sock" };
}

const on = (host: string, more: Settings = {}) => pair({}, { FISCAL_SERVER__HOST: host, ...more });
const NAMED = { FISCAL_SERVER__PUBLIC_URL: "https://fiscal.example.com:8443" };
const VALID = /^ok: .*is valid until/;
const LOCAL = /^notice: .*this machine only/;

type Row = readonly [name: string, make: () => Settings | Promise<Settings>, findings: readonly RegExp[]];

const CERTIFICATES: readonly Row[] = [
  ["a certificate that is valid for long", () => pair(), [VALID]],
  ["one that expires within 14 days", () => pair({ days: 13 }), [/^notice: .*is valid until/]],
  ["one that has expired", () => pair({ days: -1 }), [/^problem: .*is valid until .* clients refuse it/]],
  ["every address, without a public one", () => on("0.0.0.0"), [LOCAL, VALID]],
  ["every address of IPv6", () => on("::"), [LOCAL, VALID]],
  ["the same in brackets", () => on("[::]"), [LOCAL, VALID]],
  ["every address, with a public one", () => on("::", NAMED), [VALID]],
  ["a name", () => on("fiscal.example.com"), [VALID]],
  [
    "a key of another certificate that everyone can read",
    readableKeyOfAnother,
    [/^problem: .*server\.tls_key_file does not belong/, /^problem: .*chmod o= .*other/],
  ],
];

const SOCKETS: readonly Row[] = [
  [
    "a file that is no socket, and links that lead nowhere",
    fileThatIsNoSocket,
    [/^notice: .*server\.public_url is not set: links/, /^problem: .*not a socket/],
  ],
  [
    "a path that is too long",
    () => ({ FISCAL_SERVER__SOCKET: "x".repeat(120), ...NAMED }),
    [/^problem: .*the system takes 10/],
  ],
  ["a socket file that is not there yet", () => ({ FISCAL_SERVER__SOCKET: "fiscal.sock", ...NAMED }), []],
  ["none", () => ({}), []],
];

test.each([...(HAS_OPENSSL ? CERTIFICATES : []), ...SOCKETS])(
  "doctor on listening with %s",
  async (_name, make, expected) => {
    const { findings } = (
      await workshop.run("doctor --json", { env: await make() })
    ).json<PrintedDiagnosis>();
    const found = findings.filter(
      ({ check, severity }) => check === "listening" || (check === "configuration" && severity !== "ok"),
    );
    const texts = found.map(({ severity, message, next_step: next }) => `${severity}: ${message} ${next}`);
    expect(texts).toEqual(expected.map((text) => expect.stringMatching(text)));
  },
);
