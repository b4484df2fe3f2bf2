/** Which messages wait for their answer: a session that ends answers them first. */
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";

export interface Unanswered {
  /** Resolves once every message is answered, or after `deadlineMs`. */
  settled(deadlineMs: number): Promise<void>;
}

/** Stands between a connected transport and its server. */
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

/** A cancelled request is never answered. */
function cancelledBy(message: JSONRPCMessage): unknown {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  return message.params?.["requestId"];
}
