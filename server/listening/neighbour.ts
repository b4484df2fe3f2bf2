/** Who has the port that is taken: another server of ours says so itself. */
import { get } from "node:http";
import { reachedAt } from "../../src/config/address.ts";

const ANSWER_WAIT_MS = 500;
/** `/healthz` says little; what says more is not ours. */
const ANSWER_LENGTH_MAX = 64;

/** Whether a fiscal answers there in plain HTTP. One that speaks TLS is not recognised. */
export function isOurs(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const address = { host: reachedAt(host), port, path: "/healthz", agent: false as const };
    const request = get(address, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
        if (text.length > ANSWER_LENGTH_MAX) request.destroy();
      });
      response.on("end", () =>
        settle(text === '{"status":"ok"}' && response.headers["x-request-id"] !== undefined),
      );
    });
    const settle = (isOne: boolean) => {
      clearTimeout(timer);
      request.destroy();
      resolve(isOne);
    };
    const timer = setTimeout(() => settle(false), ANSWER_WAIT_MS);
    request.on("error", () => settle(false));
    request.on("close", () => settle(false));
  });
}
