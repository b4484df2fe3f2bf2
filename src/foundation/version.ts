/** The version of the API, which events carry as `api_version` (spec, Versioning). */
export const API_VERSION = "0.1.0";
