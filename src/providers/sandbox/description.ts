/** The static description of the sandbox: its name and limits. */
import type { BuiltInDescription } from "../built-in-provider.ts";

/** Keeps the commit of one batch short. */
const BATCH_MAX = 64;

export const SANDBOX = {
  provider: "sandbox",
  name: { en: "sandbox", el: "δοκιμαστικό περιβάλλον (sandbox)" },
  numbering: "ours",
  issueBatchMax: BATCH_MAX,
  canCancel: true,
  hasPdf: false,
  credentials: null,
  settings: {},
} as const satisfies BuiltInDescription;
