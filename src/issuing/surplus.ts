/** One uid under several MARKs: the first is kept, the others are cancelled at the provider and recorded (decisions 6). */
import type { Context } from "../context.ts";
import type { ProviderAdapter } from "../providers/adapter.ts";
import type { Claimed } from "./claims.ts";
import { callProvider } from "./single-call.ts";

/** Cancels each surplus MARK. One that cannot be cancelled is told to the operator, with its MARK: people must see to it. */
export async function cancelSurplus(
  context: Context,
  adapter: ProviderAdapter,
  claimed: Claimed,
  marks: readonly string[],
): Promise<void> {
  const { row, document } = claimed;
  for (const mark of marks) {
    const outcome = await callProvider(context, row, "cancel", (call) =>
      adapter.cancel({ ...document, mark }, call),
    );
    if (outcome.kind === "cancelled")
      context.log.warn({ document: row.id, mark }, "a surplus MARK was cancelled");
    else
      context.log.error(
        { document: row.id, mark },
        "a surplus MARK could not be cancelled; cancel it by hand",
      );
  }
}
