/** The body of a login at provider_a. */

/** Throws if the credentials do not fit the form, which was checked before they were stored. */
export function buildLogin(credentials: Readonly<Record<string, string>> | null): Record<string, string> {
  const { api_key: apiKey, email, provider_user_id: userId } = credentials ?? {};
  if (apiKey === undefined || (email === undefined) === (userId === undefined)) {
    throw new Error("The credentials of a connection to provider_a are not of its form");
  }
  return { api_key: apiKey, ...(email === undefined ? { wrapp_user_id: userId! } : { email }) };
}
