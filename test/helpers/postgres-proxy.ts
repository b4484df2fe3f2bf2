/** A proxy in front of PostgreSQL that loses connections. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** With `reaches`, the server gets the commit, and only its answer is lost. */
export async function startProxy(url: string, { reaches }: { reaches: boolean }) {
  const sockets = new Set<Socket>();
  let isArmed = false;
  let isGone = false;
  const server = createServer((client) => {
    if (isGone) return void client.destroy();
    const upstream = connectTo(url);
    const cut = () => {
      client.destroy();
      upstream.destroy();
    };
    let isCutting = false;
    let isWriter = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", cut).on("close", cut);
    }
    client.on("data", (data) => {
      // Only writers count their commits.
      isWriter ||= data.includes("insert into lanes");
      if (isArmed && isWriter && data.includes("commit\0")) {
        isArmed = false;
        isCutting = true;
        if (!reaches) return cut();
      }
      upstream.write(data);
    });
    upstream.on("data", (data) => {
      if (!isCutting) client.write(data);
      // Other answers may come first, because the commit is sent together with the last statements.
      else if (data.includes("COMMIT\0")) cut();
    });
  });
  function cutAll(): void {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  }
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const through = new URL(url);
  through.searchParams.delete("host");
  through.hostname = "127.0.0.1";
  through.port = String((server.address() as AddressInfo).port);
  return {
    /** The address of the database through the proxy. */
    url: through.href,
    /** The next commit of a writer loses its connection; a sealer's does not. */
    cutNextCommit: () => void (isArmed = true),
    /** Whether connections are refused. */
    setGone: (value: boolean) => void (isGone = value),
    /** All connections are lost now. */
    cutAll,
    async close() {
      cutAll();
      await new Promise((done) => server.close(done));
    },
  };
}

export type PostgresProxy = Awaited<ReturnType<typeof startProxy>>;

function connectTo(url: string): Socket {
  const { searchParams, hostname, port } = new URL(url);
  const folder = searchParams.get("host");
  return folder === null
    ? connect(Number(port || 5432), hostname)
    : connect(`${folder}/.s.PGSQL.${port || 5432}`);
}
