"use strict";
// The image's health check: exit code 0 while the server can use its database and its master key (`/readyz`), 1 otherwise.
// Where the server listens is read off the settings in the environment, as the server reads them. One that has them in a
// file is named instead: `healthcheck.cjs https://127.0.0.1:8443` or `healthcheck.cjs /run/fiscal/fiscal.sock`.

const http = require("node:http");
const https = require("node:https");

/** Below the time that the image gives the check. */
const TIMEOUT_MS = 4000;

/** Listening on every address means: also on the loopback. */
const EVERY_ADDRESS = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);

function addressOfSettings(env) {
  if (env.FISCAL_SERVER__SOCKET) return env.FISCAL_SERVER__SOCKET;
  const host = env.FISCAL_SERVER__HOST || "127.0.0.1";
  const asked = EVERY_ADDRESS.get(host) ?? host;
  const scheme = env.FISCAL_SERVER__TLS_CERT_FILE ? "https" : "http";
  return `${scheme}://${asked.includes(":") ? `[${asked}]` : asked}:${env.FISCAL_SERVER__PORT || "8787"}`;
}

function ask(address, answered) {
  if (address.startsWith("/")) return http.get({ socketPath: address, path: "/readyz" }, answered);
  const url = new URL("/readyz", address);
  // Its own certificate names the public host, and it is asked on its own machine.
  if (url.protocol === "https:") return https.get(url, { rejectUnauthorized: false }, answered);
  return http.get(url, answered);
}

function end(exitCode, message) {
  process.stdout.write(`${message}\n`);
  process.exit(exitCode);
}

function check(address) {
  const request = ask(address, (response) => {
    let text = "";
    response.setEncoding("utf8").on("data", (part) => (text += part));
    response.on("end", () => end(response.statusCode === 200 ? 0 : 1, text));
  });
  request.on("error", (error) => end(1, `${address} does not answer (${error.code ?? error.message})`));
  setTimeout(() => end(1, `${address} has not answered within ${TIMEOUT_MS / 1000} s`), TIMEOUT_MS);
}

check(process.argv[2] ?? addressOfSettings(process.env));
