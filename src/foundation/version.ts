/** The version of the API, sent as `api_version` in events (docs/contract.md#versioning). */
export const API_VERSION = "0.1.0";
