import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { closeOf, openServingPlace, type Place } from "../../helpers/serving.ts";

let place: Place;
beforeEach(async () => {
  place = await openServingPlace();
});
afterEach(() => place.close());

const REQUEST = "GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n";

describe("at the stop", () => {
  test("a request that was on its way over a connection kept alive is answered, and others end", async () => {
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

  test("nobody is let in any more", async () => {
    const { port, server } = await place.start();
    const kept = await place.open(port);
    const stopped = server.stop();
    await expect(place.open(port)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    kept.destroy();
    await stopped;
  });
});
