/** Sessions that change nothing: docs/contract.md#console. */
import { beforeAll, expect, test } from "vitest";
import { NO_RETRIES } from "../helpers/appliance.ts";
import { openConnectingServer } from "../helpers/connecting.ts";
import { csrfOf, OVERVIEW_AND_LISTS, signedIn } from "../helpers/console.ts";
import { mailSettings } from "../helpers/mail-server.ts";
import { forAllTests } from "../helpers/set-up.ts";

let issued: string;
let failed: string;
let connection: string;
let endpoint: string;
const server = forAllTests(() =>
  openConnectingServer({
    env: { ...NO_RETRIES, ...mailSettings({ port: 25 }) },
  }),
);
const reader = forAllTests(() => signedIn(server, "test", { isReadOnly: true }));
beforeAll(async () => {
  issued = await issue("issued");
  failed = await issue("unavailable");
  connection = await server.connect();
  const url = "https://example.com/hook";
  endpoint = (await server.post("/api/v1/webhook_endpoints", { url, enabled_events: ["*"] })).body.data.id;
});

async function issue(scene: string): Promise<string> {
  return (await server.issued({ provider: "sandbox", metadata: { sandbox: scene } })).id;
}

/** The pages whose forms change something. */
const formPages = () => [
  "/console/new",
  "/console/credit",
  "/console/upload",
  `/console/documents/${issued}/credit`,
  `/console/documents/${issued}/repeat`,
  `/console/documents/${issued}/cancel`,
  `/console/connections/${connection}/disconnect`,
  "/console/merchants/new",
  ...["details", "paper", "issuing", "branches/1", "archive"].map(
    (form) => `/console/merchants/${server.merchant}/${form}`,
  ),
  "/console/webhooks/new",
  ...["details", "secret"].map((form) => `/console/webhooks/${endpoint}/${form}`),
];

test("a read-only session sees every page without a form or a link to one", async () => {
  const ones = [
    `/documents/${issued}`,
    `/documents/${failed}`,
    `/merchants/${server.merchant}`,
    `/connections/${connection}`,
  ];
  for (const path of [...OVERVIEW_AND_LISTS, ...ones, `/webhooks/${endpoint}`]) {
    const { status, html } = await reader.get(`/console${path}`);
    expect([path, status, html.includes("Read-only")]).toEqual([path, 200, true]);
    const actions = [...html.matchAll(/<form method="post" action="([^"]+)"/g)].map(([, action]) => action);
    expect([path, actions]).toEqual([path, ["/console/language", "/console/sign-out"]]);
    for (const form of formPages()) expect([path, html.includes(`href="${form}"`)]).toEqual([path, false]);
  }
});

test("a read-only session is refused every form, and nothing changes", async () => {
  for (const path of formPages()) expect([path, (await reader.get(path)).status]).toEqual([path, 403]);
  const posts = [...formPages(), "/console/new/preview", "/console/new/change", "/console/new/totals"];
  posts.push(`/console/documents/${failed}/retry`, `/console/webhooks/${endpoint}/disable`);
  posts.push(
    `/console/merchants/${server.merchant}/connect-link`,
    `/console/connections/${connection}/verify`,
  );
  const csrf = csrfOf((await reader.get("/console")).html);
  for (const path of posts) {
    const shown = await reader.post(path, {}, { csrf });
    expect([path, shown.status, shown.html.includes("This session only shows")]).toEqual([path, 403, true]);
  }
  expect((await server.read(`/api/v1/documents/${failed}`)).status).toBe("failed");
  expect((await server.read(`/api/v1/webhook_endpoints/${endpoint}`)).status).toBe("enabled");
  expect((await server.read(`/api/v1/merchants/${server.merchant}`)).archived).toBe(false);
});

test("a read-only session chooses its language and signs out", async () => {
  const own = await signedIn(server, "test", { isReadOnly: true });
  expect((await own.post("/console/language", { language: "el" })).status).toBe(303);
  expect((await own.get("/console")).html).toContain("Μόνο ανάγνωση");
  expect((await own.post("/console/sign-out")).status).toBe(303);
  expect((await own.get("/console")).status).toBe(303);
});
