"use strict";
// The image's health check: exit code 0 while the server can use its database and its master key (`/readyz`), 1 otherwise.
// It finds the server's address in the environment, like the server. If the settings are in a file, give the address as an
// argument: `healthcheck.cjs https://127.0.0.1:8443` or `healthcheck.cjs /run/fiscal/fiscal.sock`.

const http = require("node:http");
const https = require("node:https");

/** Below the timeout of HEALTHCHECK in the Dockerfile. */
const TIMEOUT_MS = 4000;

/** A server that listens on every address also listens on the loopback. */
const EVERY_ADDRESS = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);

function addressFromEnvironment(env) {
  if (env.FISCAL_SERVER__SOCKET) return env.FISCAL_SERVER__SOCKET;
  const host = env.FISCAL_SERVER__HOST || "127.0.0.1";
  const reached = EVERY_ADDRESS.get(host) ?? host;
  const scheme = env.FISCAL_SERVER__TLS_CERT_FILE ? "https" : "http";
  return `${scheme}://${reached.includes(":") ? `[${reached}]` : reached}:${env.FISCAL_SERVER__PORT || "8787"}`;
}

function get(address, onResponse) {
  if (address.startsWith("/")) return http.get({ socketPath: address, path: "/readyz" }, onResponse);
  const url = new URL("/readyz", address);
  // The certificate names the public host, but this request goes to the loopback.
  if (url.protocol === "https:") return https.get(url, { rejectUnauthorized: false }, onResponse);
  return http.get(url, onResponse);
}

function end(exitCode, message) {
  process.stdout.write(`${message}\n`);
  process.exit(exitCode);
}

function check(address) {
  const request = get(address, (response) => {
    let text = "";
    response.setEncoding("utf8").on("data", (part) => (text += part));
    response.on("end", () => end(response.statusCode === 200 ? 0 : 1, text));
  });
  request.on("error", (error) => end(1, `${address} does not respond (${error.code ?? error.message})`));
  setTimeout(() => end(1, `${address} has not responded within ${TIMEOUT_MS / 1000} s`), TIMEOUT_MS);
}

check(process.argv[2] ?? addressFromEnvironment(process.env));
