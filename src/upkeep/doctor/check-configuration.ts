/** The settings in force that are a risk as they stand. */
import { statSync } from "node:fs";
import type { Config } from "../../config/config.ts";
import { listProviderAddresses } from "../../config/provider-settings.ts";
import { type Finding, findingsOf, type Patient } from "./doctor-finding.ts";

const { ok, notice, problem } = findingsOf("configuration");

/** As many characters as 64 random bits have in base 62: fewer can be guessed by asking. */
const TOKEN_LENGTH_MIN = 11;

export function checkConfiguration({ config }: Patient): Finding[] {
  const file = config.file ?? "none, the defaults hold";
  return [
    ok(`Configuration file: ${file}. Data directory: ${config.dataDir}.`),
    ...judgeReach(config),
    ...judgeAddresses(config),
    ...judgeLimits(config),
    ...judgeFile(config),
  ];
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || host.startsWith("127.");
}

/** What can be reached from outside, and how. */
function judgeReach({ server }: Config): Finding[] {
  const findings: Finding[] = [];
  if (server.publicUrl.startsWith("http://") && !isLoopback(new URL(server.publicUrl).hostname)) {
    findings.push(
      problem("server.public_url is http: keys and credentials cross the network in clear.", {
        next: "put a proxy that speaks TLS before the server, and set server.public_url to its https address",
      }),
    );
  }
  if (!isLoopback(server.host) && server.publicUrl === "" && server.tls === null && server.socket === null) {
    findings.push(
      problem(
        "server.host is public and server.public_url is not set: there is no TLS, and links name no public address.",
        {
          next: "set server.public_url to the https address of the proxy before the server, or server.host to 127.0.0.1",
        },
      ),
    );
  }
  if (server.metricsToken !== "" && server.metricsToken.length < TOKEN_LENGTH_MIN) {
    findings.push(
      notice("server.metrics_token is short enough to be guessed.", {
        next: "set server.metrics_token to a random text of 20 characters or more",
      }),
    );
  }
  if (server.trustedProxies.some((network) => network.endsWith("/0"))) {
    findings.push(
      problem("server.trusted_proxies trusts every address: anyone may say where a request comes from.", {
        next: "name only the addresses of your own proxies in server.trusted_proxies",
      }),
    );
  }
  return findings;
}

/** Credentials and tax numbers go to these addresses. */
function judgeAddresses({ providers, taxIds }: Config): Finding[] {
  const addresses: [setting: string, url: string][] = [
    ...listProviderAddresses(providers),
    ["tax_ids.registry_url", taxIds.registryUrl],
  ];
  return addresses
    .filter(([, url]) => url.startsWith("http://") && !isLoopback(new URL(url).hostname))
    .map(([setting]) =>
      problem(`${setting} is http: what is sent there can be read on the way.`, {
        next: `set ${setting} to an https address, or take it out of the configuration`,
      }),
    );
}

function judgeLimits({ rateLimit, webhooks, log }: Config): Finding[] {
  const findings: Finding[] = [];
  const off = [
    ...(rateLimit.requests === 0 ? ["rate_limit.requests"] : []),
    ...(rateLimit.failedAuth === 0 ? ["rate_limit.failed_auth"] : []),
    ...(rateLimit.lookups === 0 ? ["rate_limit.lookups"] : []),
  ];
  if (off.length > 0)
    findings.push(notice(`${off.join(" and ")} is 0: there is no limit.`, { next: "set a limit above 0" }));
  if (webhooks.allowNetworks.length > 0) {
    findings.push(
      notice("webhooks.allow_networks lets events be sent into private networks.", {
        next: "keep in webhooks.allow_networks only what webhooks need to reach",
      }),
    );
  }
  if (log.level === "debug")
    findings.push(notice("log.level is debug: the log grows fast.", { next: 'set log.level to "info"' }));
  return findings;
}

/** A configuration file that holds a secret is for its owner. */
function judgeFile({ file, server }: Config): Finding[] {
  if (file === null || server.metricsToken === "" || process.platform === "win32") return [];
  if ((statSync(file).mode & 0o077) === 0) return [];
  return [
    notice(`${file} holds server.metrics_token and others may read it.`, { next: `chmod 600 ${file}` }),
  ];
}
