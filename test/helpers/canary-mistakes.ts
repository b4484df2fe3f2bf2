/** Makes every kind of mistake with secrets: puts them where they do not belong. */
import { ask, connectionsOf, type Credentials, makeMerchant, type Traveller } from "./canary-traveller.ts";

/** Bodies with the secrets of `given` in the wrong places or in the wrong form. */
function wrongBodies({ provider, credentials }: Credentials): string[] {
  const [[name, secret = ""] = [""]] = Object.entries(credentials);
  const all = Object.values(credentials);
  const good = JSON.stringify({ provider, credentials });
  const typing: unknown[] = [
    { provider, credentials: { ...credentials, [name]: [secret] } },
    { provider, credentials: { ...credentials, [name]: { value: secret } } },
    { provider, credentials: { ...credentials, [name]: secret.repeat(80) } },
    { provider, credentials: { ...credentials, [name]: `${secret}\u0000` } },
    { provider, credentials: { ...credentials, [name]: ` ${secret}\n` } },
    { provider, credentials: { [name]: secret } },
    { provider, credentials: { ...credentials, password: secret, note: secret, "api key": secret } },
    { provider, credentials: { ...credentials, [secret]: "" } },
    { provider, credentials, [secret]: secret },
    { provider, credentials: all },
    { provider, credentials: all.join(":") },
    { provider: secret, credentials },
    { provider: [secret], credentials },
    { provider: "sandbox", credentials },
    { provider: "provider_b", credentials },
    { provider, credentials, ...credentials },
    { ...credentials },
    all,
    secret,
  ];
  const broken = [
    good.slice(0, -2),
    `${good}}`,
    `\ufeff\ufeff${good}`,
    `{"a":${good},}`,
    all.join("\n"),
    `${good}\u0000`,
    good.replaceAll('"', "'"),
  ];
  return [...typing.map((body) => JSON.stringify(body)), ...broken];
}

/** Makes every kind of mistake with the secrets of `given`; nothing is stored. */
export async function connectWrongly(traveller: Traveller, given: Credentials): Promise<void> {
  traveller.network.mood = "accepting";
  const merchant = await makeMerchant(traveller);
  const path = connectionsOf(merchant);
  for (const body of wrongBodies(given)) {
    await ask(traveller, "a wrong connection", "POST", path, { body });
    await ask(traveller, "a wrong connection without a type", "POST", path, {
      body,
      headers: { "content-type": "text/plain" },
    });
  }
  const secrets = Object.values(given.credentials);
  const query = new URLSearchParams(given.credentials).toString();
  const body = JSON.stringify(given);
  await ask(traveller, "credentials in the query", "POST", `${path}?${query}`, { body });
  await ask(traveller, "credentials in the query alone", "POST", `${path}?${query}`, { body: "{}" });
  await ask(traveller, "credentials behind an escape", "POST", `${path}?%zz=${query}`, { body });
  await ask(traveller, "credentials as a form", "POST", path, {
    body: query,
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  await ask(
    traveller,
    "a secret in another query",
    "GET",
    `/api/v1/merchants?${new URLSearchParams({ api_key: secrets[0]!, subscription_key: secrets.at(-1)! })}`,
  );
  await ask(
    traveller,
    "credentials for a merchant that is not there",
    "POST",
    connectionsOf("mer_0000000000000000000000"),
    { body },
  );
  await ask(traveller, "credentials without a key", "POST", path, { body, key: null });
  for (const secret of secrets.filter(
    (text) => /^[\x21-\x7e][\x20-\x7e]*$/.test(text) && text.trim() === text,
  )) {
    for (const header of [
      "aade-user-id",
      "ocp-apim-subscription-key",
      "x-api-key",
      "cookie",
      "proxy-authorization",
    ]) {
      await ask(traveller, `a secret in ${header}`, "POST", path, {
        body: "{}",
        headers: { [header]: secret },
      });
      await ask(traveller, `a secret in ${header} of another`, "GET", "/api/v1/merchants", {
        headers: { [header]: secret },
      });
    }
    await ask(traveller, "a secret in any header", "POST", path, {
      body: "{}",
      headers: { "x-anything": secret },
    });
  }
  const basic = `Basic ${Buffer.from(secrets.join(":")).toString("base64")}`;
  await ask(traveller, "credentials as basic authentication", "POST", path, {
    body,
    headers: { authorization: basic },
  });
}

/** Puts an API key or another secret made by this server where it does not belong. */
export async function misplace(traveller: Traveller, secret: string): Promise<void> {
  const json = (value: unknown) => JSON.stringify(value);
  await ask(traveller, "a secret in the query", "GET", `/api/v1/merchants?key=${secret}`);
  await ask(traveller, "a secret as a parameter", "GET", `/api/v1/events?${secret}`);
  await ask(traveller, "a secret as a cursor", "GET", `/api/v1/documents?starting_after=${secret}`);
  for (const path of [
    `/api/v1/${secret}`,
    `/api/v1/merchants/${secret}`,
    `/api/v1/documents/${secret}/pdf`,
    `/${secret}`,
    `/connect/${secret}`,
  ])
    await ask(traveller, "a secret in the path", "GET", path);
  for (const path of ["/api/v1/merchants", "/api/v1/documents", "/api/v1/documents/preview"]) {
    await ask(traveller, "a secret in a body", "POST", path, {
      body: json({ api_key: secret, merchant: secret, external_id: [secret] }),
    });
    await ask(traveller, "a secret in a broken body", "POST", path, { body: `{"merchant":"${secret}` });
    await ask(traveller, "a secret for a body", "POST", path, { body: secret });
  }
  await ask(traveller, "a secret as a request id", "GET", "/api/v1/merchants", {
    headers: { "x-request-id": secret.repeat(4) },
  });
  await ask(traveller, "a secret as a cookie", "GET", "/api/v1/merchants", {
    headers: { cookie: `key=${secret}`, "x-api-key": secret },
  });
  await ask(traveller, "a secret in a referrer", "GET", "/api/v1/merchants", {
    headers: { referer: `https://example.com/?key=${secret}` },
  });
  for (const authorization of [
    secret,
    `Basic ${Buffer.from(`${secret}:`).toString("base64")}`,
    `Bearer ${secret}x`,
    `Token ${secret}`,
  ])
    await ask(traveller, "a secret in another scheme", "GET", "/api/v1/merchants", {
      key: null,
      headers: { authorization },
    });
}
