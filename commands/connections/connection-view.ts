/** Connections for reading. */
import type { ConnectionObject } from "../../src/issuing/connection-object.ts";
import { textOfError } from "../../src/foundation/stored-texts.ts";
import { joinTexts, sameInBoth, type Text } from "../../src/foundation/text.ts";
import type { CommandContext } from "../context.ts";
import { type ProgramIo, tellTrouble } from "../io.ts";
import { printJson } from "../ui/json.ts";
import { printable } from "../ui/printable.ts";
import { type Column, printFields } from "../ui/table.ts";

export const CONNECTION_COLUMNS: readonly Column<ConnectionObject>[] = [
  { head: "id", value: (connection) => connection.id },
  { head: "merchant", value: (connection) => connection.merchant },
  { head: "provider", value: (connection) => connection.provider },
  { head: "status", value: (connection) => connection.status },
  { head: "verified", value: (connection) => connection.verified_at ?? "-" },
  { head: "created", value: (connection) => connection.created },
];

/** Prints one connection: as the API's object, or field by field. */
export async function printConnection(context: CommandContext, connection: ConnectionObject): Promise<void> {
  const { io } = context;
  if (context.options.json === true) return printJson(io.stdout, connection);
  const { last_error: error } = connection;
  const refusal: [string, Text | string | null][] =
    error === null
      ? []
      : [
          ["last error", joinTexts([sameInBoth(error.code), textOfError(error)], ": ")],
          ["provider code", error.provider_code],
          ["provider message", error.provider_message],
        ];
  await printFields(io, [
    ["id", connection.id],
    ["status", connection.status],
    ["merchant", connection.merchant],
    ["provider", `${connection.provider} (${connection.mode})`],
    ["verified", connection.verified_at],
    ["created", connection.created],
    ...refusal,
  ]);
}

/** What the provider said about an invalid connection, and the ways to go on. */
export async function tellRefusal(io: ProgramIo, { id, last_error: error }: ConnectionObject): Promise<void> {
  const words = error?.provider_message ?? error?.message;
  await tellTrouble(
    io,
    `The provider refused the credentials${words === undefined ? "" : `: ${printable(words)}`}`,
  );
  await tellTrouble(
    io,
    `Nothing is sent through this connection. Once the provider takes them: fiscal connections verify ${id}\n` +
      `With other credentials: fiscal connections disconnect ${id}, then add it again.`,
  );
}
