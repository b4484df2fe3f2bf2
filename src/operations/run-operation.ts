/** Runs an operation for a person at the terminal or in the console, which make no API request. */
import type { QueryFields, QueryValues } from "./field.ts";
import { useOfKey } from "../journal/idempotency.ts";
import type { Call, LocalOperation, Operation } from "./operation.ts";

interface Run extends Pick<Call<never>, "context" | "mode" | "cause" | "onProgress"> {
  /** Of the path. */
  params?: Readonly<Record<string, string>>;
  query?: object;
  body?: unknown;
  /** The idempotency key of a creation. */
  key?: string | undefined;
}

/** Returns the response, as the API would answer, and whether an earlier run with the key created the object. */
export async function runOperation(
  operation: Pick<LocalOperation | Operation, "id" | "handle">,
  { params = {}, query = {}, body, key, ...run }: Run,
): Promise<{ response: unknown; replayed: boolean }> {
  const { value, json, replayed } = await operation.handle({
    ...run,
    id: params["id"] ?? "",
    customer: params["customer"],
    query: query as QueryValues<QueryFields>,
    body,
    use: useOfKey(operation.id, key, params, body),
    countLookup: async () => {},
  });
  return { response: value ?? JSON.parse(json), replayed };
}
