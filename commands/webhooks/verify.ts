/** `fiscal webhooks verify`: why a receiver refuses a delivery. It needs no data directory. */
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode, UsageError } from "../exit.ts";
import { say } from "../io.ts";
import { printJson } from "../ui/json.ts";
import { readBodyFile, readSecretFile } from "./webhook-input.ts";

export interface VerifyOptions {
  secretFile?: string;
  header?: string;
  bodyFile?: string;
  /** An instant. */
  at?: string;
}

/** 0 when the signature matches, 4 when it does not. */
export async function runVerify(context: CommandContext, options: VerifyOptions): Promise<ExitCode> {
  const { io } = context;
  const { secretFile, header, bodyFile } = options;
  if (secretFile === undefined) throw new UsageError("--secret-file is missing");
  if (header === undefined) throw new UsageError("--header is missing");
  if (bodyFile === undefined) throw new UsageError("--body-file is missing");
  if (secretFile === "-" && bodyFile === "-")
    throw new UsageError("only one of --secret-file, --body-file can read standard input");
  const secret = await readSecretFile(io, "--secret-file", secretFile);
  const body = await readBodyFile(io, bodyFile);
  const { createClock } = await import("../../src/foundation/clock.ts");
  const { diagnose } = await import("../../src/webhooks/diagnosis/diagnose.ts");
  const nowMs = options.at === undefined ? createClock().nowMs() : Date.parse(options.at);
  const { matches, reason, findings } = diagnose({
    secret,
    header,
    body,
    nowSeconds: Math.floor(nowMs / 1000),
  });
  if (context.options.json === true) await printJson(io.stdout, { matches, reason, findings });
  else for (const finding of findings) await say(io, finding);
  return matches ? EXIT.done : EXIT.refused;
}
