/** Measures how long the API takes to answer while callers without a key send the largest bodies they may to every path. */
import { Agent, request } from "node:http";
import { makeKey, openBenchAppliance, SETTINGS } from "./material.ts";
import { PROGRAM, withServer } from "./processes.ts";
import { type Row, rowOf } from "./results.ts";
import { alternate, type Effort, quantile, type Sample, timed, withFolder } from "./rounds.ts";

const CALLERS = 50;
const ANSWERS = 200;
/** What a server reads of a body that it refuses (server/listening/rest-of-body.ts). */
const BODY = { parts: 64, part: Buffer.from("a=1&".repeat(262_144)) };

const TYPES = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b"];
const PATHS = `/ /api/v1/documents /api/v1/unknown /mcp /console /console/sign-in /console/new /console/upload
  /console/upload/continue /connect/${"x".repeat(43)} /docs /metrics /openapi.json /healthz /readyz /assets/page.css
  /sandbox/documents/400000000000001`.split(/\s+/);

/** Sends the body as long as the server takes it; resolves when the exchange has ended, however it did. */
function send(url: string, type: string): Promise<void> {
  return new Promise((settle) => {
    const length = BODY.parts * BODY.part.length;
    const headers = { "content-type": type, "content-length": length };
    const sending = request(url, { method: "POST", headers, agent: false }, (response) => response.resume());
    let left = BODY.parts;
    const write = () => {
      for (; left > 0; left -= 1)
        if (!sending.write(BODY.part)) {
          left -= 1;
          return void sending.once("drain", write);
        }
      sending.end();
    };
    // The server may close the connection before it has read everything.
    sending.on("error", () => undefined).on("close", () => settle());
    write();
  });
}

async function flood(base: string, isOver: () => boolean): Promise<void> {
  const callers = Array.from({ length: CALLERS }, async (_none, caller) => {
    for (let sent = caller; !isOver(); sent += 1)
      await send(base + PATHS[sent % PATHS.length]!, TYPES[sent % TYPES.length]!);
  });
  await Promise.all(callers);
}

function answerOf(url: string, key: string, agent: Agent): Promise<void> {
  return new Promise((settle, fail) => {
    const asking = request(url, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      response.resume().on("end", settle);
    });
    asking.on("error", fail).end();
  });
}

async function measure(base: string, key: string, answers: number): Promise<Sample> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  for (let answer = 0; answer < answers; answer += 1)
    times.push(await timed(() => answerOf(`${base}/api/v1/documents?limit=1`, key, agent)));
  agent.destroy();
  const p50Ms = quantile(times, 0.5);
  return { perSecond: 1000 / p50Ms, p50Ms, p99Ms: quantile(times, 0.99) };
}

export async function* benchFloods({ rounds, share }: Effort): AsyncGenerator<Row> {
  const answers = ANSWERS * Math.max(share, 0.5);
  const measured = await withFolder(async (folder) => {
    const appliance = await openBenchAppliance(folder);
    const key = await makeKey(appliance);
    await appliance.stop(0);
    const env = { ...SETTINGS, HOME: folder, FISCAL_DATA_DIR: `${folder}/data` };
    return withServer([PROGRAM, "serve"], env, ({ url }) =>
      alternate(rounds, {
        quiet: () => measure(url, key, answers),
        async flooded() {
          let isOver = false;
          const flooding = flood(url, () => isOver);
          const sample = await measure(url, key, answers);
          isOver = true;
          await flooding;
          return sample;
        },
      }),
    );
  });
  yield rowOf(measured, {
    name: "floods",
    ours: "flooded",
    reference: "quiet",
    unit: " ms",
    goal: { atMost: 1000 },
    about: `99 of 100 answers, while ${CALLERS} callers without a key send the largest bodies to every path`,
    value: (flooded) => flooded.p99Ms,
  });
}
