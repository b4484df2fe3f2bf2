import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { closeOf, openServingPlace } from "../../helpers/serving.ts";
import { forEachTest } from "../../helpers/set-up.ts";

const place = forEachTest(openServingPlace);

const REQUEST = "GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n";

describe("stopping", () => {
  test("answers a request arriving on a kept-alive connection, and ends other connections", async () => {
    const { port, server } = await place.start();
    const [used, idle] = [await place.open(port), await place.open(port)];
    for (const socket of [used, idle]) {
      socket.write(REQUEST);
      await once(socket, "data");
    }
    const [usedClosed, idleClosed] = [closeOf(used), closeOf(idle)];
    const stopped = server.stop();
    const answered = once(used, "data");
    used.write(REQUEST);
    expect(String((await answered)[0])).toContain(" 200 ");
    await Promise.all([usedClosed, idleClosed, stopped]);
  });

  test.skipIf(process.platform !== "linux")(
    "closes each of two connections from one client port to two addresses of this machine",
    async () => {
      const { port, server, bench } = await place.start({
        FISCAL_SERVER__HOST: "0.0.0.0",
        FISCAL_SERVER__SHUTDOWN_SECONDS: "1",
      });
      const key = await bench.makeKey("test");
      const first = await place.open({ port, host: "127.0.0.2", localAddress: "127.0.0.1" });
      const localPort = first.localPort!;
      const second = await place.open({ port, host: "127.0.0.3", localAddress: "127.0.0.1", localPort });
      const closed = [closeOf(first), closeOf(second)];
      for (const socket of [first, second]) {
        const head = `POST /api/v1/documents HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${key}\r\nIdempotency-Key: ${socket.remoteAddress}\r\n`;
        socket.write(
          `${head}Content-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n`,
        );
        await once(socket, "data");
      }
      await server.stop();
      await Promise.all(closed);
    },
  );

  test("accepts no new connections", async () => {
    const { port, server } = await place.start();
    const kept = await place.open(port);
    const stopped = server.stop();
    await expect(place.open(port)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    kept.destroy();
    await stopped;
  });
});
