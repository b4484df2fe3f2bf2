/** Counts the requests without a response, so that a session can finish them before it ends. */
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";

export interface Unanswered {
  /** Resolves once every request has its response, or after `deadlineMs`. */
  settled(deadlineMs: number): Promise<void>;
}

/** Wraps the handlers of a connected transport. */
export function countUnanswered(transport: Transport): Unanswered {
  const open = new Set<unknown>();
  let whenNone = () => {};
  const close = (id: unknown) => {
    open.delete(id);
    if (open.size === 0) whenNone();
  };

  const deliver = transport.onmessage;
  transport.onmessage = (message, extra) => {
    const cancelled = cancelledBy(message);
    if (cancelled !== undefined) close(cancelled);
    else if ("method" in message && "id" in message) open.add(message.id);
    deliver?.(message, extra);
  };
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    await send(message, options);
    if (!("method" in message)) close(message.id);
  };

  return {
    async settled(deadlineMs) {
      if (open.size === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      whenNone = resolve;
      const timer = setTimeout(resolve, deadlineMs);
      await promise;
      clearTimeout(timer);
    },
  };
}

/** The id of the request that `message` cancels; a cancelled request gets no response. */
function cancelledBy(message: JSONRPCMessage): unknown {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  return message.params?.["requestId"];
}
