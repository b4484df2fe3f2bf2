import { chmodSync, chownSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { type Config, describeConfig, loadConfig } from "../../src/config/config.ts";
import type { Overrides } from "../../src/config/config-sources.ts";
import { ConfigurationError } from "../../src/foundation/errors.ts";
import { environmentName, SETTINGS } from "../../src/config/settings.ts";
import { makeFolder } from "../helpers/folder.ts";
import { renderConfigurationPage, renderExample } from "../../packaging/settings/render-settings.ts";

const EXAMPLE = resolve(import.meta.dirname, "../../config.example.toml");
const PAGE = resolve(import.meta.dirname, "../../docs/configuration.md");

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});

interface Given {
  env?: Record<string, string>;
  /** The text of the file named by --config. */
  file?: string;
  flags?: { config?: string; dataDir?: string; overrides?: Overrides };
}

function load({ env = {}, file, flags = {} }: Given = {}): Config {
  if (file !== undefined) {
    writeFileSync(join(folder, "config.toml"), file);
    flags = { config: "config.toml", ...flags };
  }
  const own = { HOME: folder, XDG_DATA_HOME: "", XDG_CONFIG_HOME: "", ...env };
  return loadConfig({ env: own, cwd: folder, flags });
}

function messageOf(given: Given): string {
  try {
    load(given);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as ConfigurationError).message;
  }
  throw new Error("It was accepted");
}

describe("the defaults", () => {
  test("config.example.toml has the program's defaults", () => {
    expect({ ...load({ flags: { config: EXAMPLE } }), file: null }).toEqual(load());
  });

  test("the generated files match the table (npm run config:docs writes them)", () => {
    expect(readFileSync(EXAMPLE, "utf8")).toBe(renderExample());
    expect(readFileSync(PAGE, "utf8")).toBe(renderConfigurationPage());
  });

  test("everything is in the user's data directory", () => {
    const config = load();
    expect(config.file).toBeNull();
    if (process.platform === "linux") expect(config.dataDir).toBe(join(folder, ".local/share/fiscal"));
    expect(config.storage.database).toBe(join(config.dataDir, "fiscal.db"));
    expect(config.security).toEqual({
      masterKeyFile: join(config.dataDir, "master.key"),
      masterKey: null,
      masterKeyPrevious: null,
    });
  });

  test.runIf(process.platform === "linux")("XDG directories and the user's own home are respected", () => {
    expect(load({ env: { XDG_DATA_HOME: "/srv/data" } }).dataDir).toBe("/srv/data/fiscal");
    const bare = loadConfig({ env: {}, cwd: folder, flags: { config: EXAMPLE } });
    expect(bare.dataDir).toBe(join(homedir(), ".local/share/fiscal"));
  });
});

describe("precedence", () => {
  test("flag beats environment beats file beats default", () => {
    const file = "[server]\nport = 1111\n";
    const env = { FISCAL_SERVER__PORT: "2222" };
    expect(load().server.port).toBe(8787);
    expect(load({ file }).server.port).toBe(1111);
    expect(load({ file, env }).server.port).toBe(2222);
    expect(load({ file, env, flags: { overrides: { values: { "server.port": 3333 } } } }).server.port).toBe(
      3333,
    );
  });

  test("--data-dir beats FISCAL_DATA_DIR beats data_dir", () => {
    const file = 'data_dir = "from-file"\n';
    const env = { FISCAL_DATA_DIR: "from-environment" };
    expect(load({ file }).dataDir).toBe(join(folder, "from-file"));
    expect(load({ file, env }).dataDir).toBe(join(folder, "from-environment"));
    expect(load({ file, env, flags: { dataDir: "from-flag" } }).dataDir).toBe(join(folder, "from-flag"));
  });

  test("a command's own option beats all of them", () => {
    const file = '[storage]\ndatabase = "real.db"\n';
    const overrides = { values: { data_dir: join(folder, "own"), "storage.database": "" } };
    const config = load({ file, flags: { dataDir: "other", overrides } });
    expect(config.storage.database).toBe(join(folder, "own/fiscal.db"));
  });

  test("an override that is not given changes nothing", () => {
    expect(load({ flags: { overrides: { values: { "server.host": undefined } } } }).server.host).toBe(
      "127.0.0.1",
    );
  });
});

describe("the configuration file is searched for", () => {
  const write = (path: string, port: number) => {
    mkdirSync(resolve(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), `[server]\nport = ${port}\n`);
  };

  test("in --config, FISCAL_CONFIG, the data directory, the user's directory, in this order", () => {
    const env = { XDG_CONFIG_HOME: join(folder, "xdg"), HOME: folder, FISCAL_DATA_DIR: "data" };
    const own =
      process.platform === "darwin" ? "Library/Preferences/fiscal/config.toml" : "xdg/fiscal/config.toml";
    write(own, 1);
    expect(load({ env }).server.port).toBe(1);
    write("data/config.toml", 2);
    expect(load({ env }).server.port).toBe(2);
    expect(load({ env: { ...env, FISCAL_DATA_DIR: "other" }, flags: { dataDir: "data" } }).server.port).toBe(
      2,
    );
    write("named.toml", 3);
    expect(load({ env: { ...env, FISCAL_CONFIG: "named.toml" } }).server.port).toBe(3);
    write("flag.toml", 4);
    const config = load({ env: { ...env, FISCAL_CONFIG: "named.toml" }, flags: { config: "flag.toml" } });
    expect(config).toMatchObject({ file: join(folder, "flag.toml"), server: { port: 4 } });
  });

  // docs/contract.md#configuration-places
  test("never in the working directory, nor in a folder that only a command chose", () => {
    write("config.toml", 2);
    expect(load()).toMatchObject({ file: null, server: { port: 8787 } });
    write("own/config.toml", 3);
    expect(load({ flags: { overrides: { values: { data_dir: join(folder, "own") } } } })).toMatchObject({
      file: null,
    });
  });

  test.runIf(process.platform === "linux")("in the user's data directory by default", () => {
    write(".local/share/fiscal/config.toml", 2);
    expect(load().server.port).toBe(2);
  });

  test("a named file that does not exist is an error", () => {
    write(".config/fiscal/config.toml", 2);
    expect(messageOf({ flags: { config: "gone.toml" } })).toContain(join(folder, "gone.toml"));
    expect(messageOf({ env: { FISCAL_CONFIG: "gone.toml" } })).toContain("gone.toml");
  });

  test("a folder in its place is an error that names it", () => {
    mkdirSync(join(folder, "config.toml"));
    expect(messageOf({ flags: { config: "config.toml" } })).toContain("config.toml cannot be read: EISDIR");
  });
});

// docs/contract.md#configuration-permissions
describe.skipIf(process.platform === "win32")("a file that other users can change", () => {
  const isRoot = process.geteuid?.() === 0;
  let file: string;
  const given = { flags: { config: "etc/config.toml" } };
  beforeEach(() => {
    file = join(folder, "etc/config.toml");
    mkdirSync(join(folder, "etc"));
    writeFileSync(file, "[server]\nport = 1\n");
  });

  test.each([0o664, 0o646, 0o666])("is refused with mode %o", (mode) => {
    chmodSync(file, mode);
    expect(messageOf(given)).toContain(`chmod go-w ${file}`);
  });

  test.runIf(isRoot)("is refused when it belongs to somebody else", () => {
    chownSync(file, 4321, 0);
    expect(messageOf(given)).toContain(`${file} belongs to another user (uid 4321)`);
  });

  test("is refused in a folder where others can replace it, unless the folder is sticky", () => {
    chmodSync(join(folder, "etc"), 0o777);
    expect(messageOf(given)).toContain(`chmod go-w ${join(folder, "etc")}`);
    chmodSync(join(folder, "etc"), 0o1777);
    expect(load(given).server.port).toBe(1);
  });

  test("is refused behind a link too", () => {
    chmodSync(join(folder, "etc"), 0o777);
    symlinkSync(file, join(folder, "link.toml"));
    expect(messageOf({ flags: { config: "link.toml" } })).toContain(`chmod go-w ${join(folder, "etc")}`);
  });

  test("is refused in the data directory too", () => {
    chmodSync(file, 0o666);
    expect(messageOf({ flags: { dataDir: "etc" } })).toContain(`chmod go-w ${file}`);
  });

  test("is accepted when others can only read it", () => {
    chmodSync(file, 0o644);
    expect(load(given).server.port).toBe(1);
  });
});

describe("strictness", () => {
  test.each([
    ['colour = "red"', "colour"],
    ["[server]\nprot = 1", "server.prot"],
    ["[webserver]", "webserver"],
    ["[webserver]\nport = 1", "webserver"],
    ["[server.port]\nnumber = 1", "server.port"],
    ["server = 1", "server"],
    ["[constructor]\nname = 1", "constructor"],
    ["constructor = 1", "constructor"],
    ["[providers.provider_f]", "providers.provider_f"],
    ['[security]\nmaster_key = "geheim"', "security.master_key"],
  ])("%j is an error that names the key and the file", (file, key) => {
    const message = messageOf({ file });
    expect(message).toContain(`${key} in ${join(folder, "config.toml")}`);
    expect(message).not.toContain("geheim");
  });

  test.each([
    "FISCAL_SERVER__PROT",
    "FISCAL_SERVER__",
    "FISCAL_SERVER_PORT__",
    "FISCAL_MASTER__KEY",
    "FISCAL___PROTO__",
  ])("the environment variable %s is an error that names it", (name) => {
    expect(messageOf({ env: { [name]: "1" } })).toContain(`(environment variable ${name})`);
  });

  test("an unknown variable without a path may belong to another program", () => {
    expect(load({ env: { FISCAL_PORT: "tcp://10.0.0.1:80", FISCAL_SERVICE_HOST: "10.0.0.1" } })).toEqual(
      load(),
    );
  });

  test("invalid TOML is an error with its position but not its content", () => {
    const message = messageOf({ file: '[server]\nmetrics_token = "geheim' });
    expect(message).toMatch(/config\.toml cannot be read: line 2, column \d+: /);
    expect(message).not.toContain("geheim");
  });
});

describe("values", () => {
  test.each([
    ["FISCAL_SERVER__PORT", ["-1", "65536", "80.5", "http", "", "0x50", "1e3"], ["0", "65535", " 80 "]],
    ["FISCAL_SERVER__HOST", [""], ["0.0.0.0", "::1"]],
    ["FISCAL_DEFAULT_MODE", ["", "TEST", "prod"], ["test", "live"]],
    [
      "FISCAL_SERVER__PUBLIC_URL",
      ["fiscal.example.com", "ftp://a", "https://u:p@a", "https://a/?b", "https://a#b"],
      ["", "http://a", "https://a/b/"],
    ],
    ["FISCAL_PROVIDERS__PROVIDER_A__LIVE_URL", ["", "a"], ["https://a/b"]],
    [
      "FISCAL_SERVER__TRUSTED_PROXIES",
      ["proxy", "10.0.0.0/33", "172.16.0.0/", "::/129", "10.0.0.0/8/8", "fe80::1%eth0", "10.0.0.1,,"],
      ["", "10.0.0.1", "10.0.0.0/8, ::1", '["fd00::/8"]'],
    ],
    [
      "FISCAL_ISSUING__DELAYS_SECONDS",
      ["", "a", "-1", "0,,1", "[[0]]", '["x"]', "3000000"],
      ["0", "0,10", "[0, 1.5]"],
    ],
    ["FISCAL_SERVER__PLATFORM_REQUEST_ID_HEADER", ["x request", "a:b"], ["", "X-Platform-Id"]],
    ["FISCAL_TAX_IDS__CACHE_HOURS", ["25"], ["0", "24"]],
    ["FISCAL_LOG__FORMAT", ["xml"], ["auto", "json", "pretty"]],
    ["FISCAL_SANDBOX__STRICT", ["", "yes", "1", "TRUE"], ["true", " false "]],
  ])("%s rejects invalid values and accepts valid ones", (name, bad, good) => {
    for (const value of bad) {
      const message = messageOf({ env: { [name]: value } });
      expect(message).toContain(`(environment variable ${name}) must be `);
      if (value.length > 2) expect(message).not.toContain(value);
    }
    for (const value of good) expect(() => load({ env: { [name]: value } })).not.toThrow();
  });

  test.each([
    'port = "80"',
    "port = 80.5",
    "port = true",
    "port = [80]",
    "host = 1",
    "trusted_proxies = [1]",
    "port = 2026-11-02",
    "host = 2026-11-02",
  ])("%s is an error", (line) => {
    expect(messageOf({ file: `[server]\n${line}\n` })).toMatch(
      / must be (a whole number|text|a list of addresses)/,
    );
  });

  test("every number within its range is accepted, every other rejected", () => {
    for (const [path, { limits }] of Object.entries(SETTINGS)) {
      if (limits === undefined) continue;
      const [minimum, maximum] = limits;
      const name = environmentName(path);
      fc.assert(
        fc.property(fc.nat({ max: maximum + 10 }), (value) => {
          const fits = value >= minimum && value <= maximum;
          const attempt = () => load({ env: { [name]: String(value) } });
          if (fits) expect(attempt).not.toThrow();
          else expect(attempt).toThrow(ConfigurationError);
        }),
        { numRuns: 15 },
      );
    }
  });

  test("are returned as given", () => {
    const env = {
      FISCAL_ISSUING__DELAYS_SECONDS: "0, 2.5,60",
      FISCAL_SERVER__TRUSTED_PROXIES: '["10.0.0.0/8", "::1"]',
      FISCAL_SERVER__PUBLIC_URL: "https://fiscal.example.com/",
      FISCAL_SERVER__PLATFORM_REQUEST_ID_HEADER: "X-Platform-Id",
      FISCAL_WEBHOOKS__ALLOW_NETWORKS: "",
      FISCAL_SANDBOX__STRICT: "true",
    };
    expect(load({ env })).toMatchObject({
      sandbox: { strict: true },
      issuing: { delaysSeconds: [0, 2.5, 60] },
      server: {
        trustedProxies: ["10.0.0.0/8", "::1"],
        publicUrl: "https://fiscal.example.com",
        platformRequestIdHeader: "x-platform-id",
      },
      webhooks: { allowNetworks: [] },
    });
  });

  test("relative paths start from the current folder, ~ from the home directory", () => {
    const file = '[storage]\ndatabase = "~/books.db"\n[security]\nmaster_key_file = "keys/master"\n';
    const config = load({ file, env: { FISCAL_DATA_DIR: "~/fiscal-data" } });
    expect(config.dataDir).toBe(join(folder, "fiscal-data"));
    expect(config.storage.database).toBe(join(folder, "books.db"));
    expect(config.security.masterKeyFile).toBe(join(folder, "keys/master"));
  });
});

describe("secrets", () => {
  test("the master key comes only from the environment", () => {
    expect(load({ env: { FISCAL_MASTER_KEY: "geheim" } }).security.masterKey).toBe("geheim");
    expect(load({ env: { FISCAL_MASTER_KEY: "" } }).security.masterKey).toBeNull();
  });

  test("the description for the log shows only whether they are set", () => {
    const env = { FISCAL_MASTER_KEY: "geheim-1", FISCAL_SERVER__METRICS_TOKEN: "geheim-2" };
    const described = describeConfig(load({ env }));
    expect(described).toMatchObject({ server: { metricsToken: "set" }, security: { masterKey: "set" } });
    expect(JSON.stringify(described)).not.toContain("geheim");
    expect(describeConfig(load())).toMatchObject({
      server: { metricsToken: "not set", port: 8787 },
      security: { masterKey: "not set" },
    });
  });
});
