/** One server, and the proxy between it and the database. */
import { startProxy } from "../helpers/postgres-proxy.ts";
import { type ServerProcess, startBuilt } from "../helpers/server-process.ts";

export interface MachineOptions {
  folder: string;
  settings: Record<string, string>;
  /** The address of the database. */
  url: string;
  /** Whether a commit that is cut reaches the database, and only its answer is lost. */
  losesAnswer: boolean;
}

export async function startMachine({ folder, settings, url, losesAnswer }: MachineOptions) {
  const proxy = await startProxy(url, { reaches: losesAnswer });
  const environment = { folder, env: { ...settings, FISCAL_STORAGE__URL: proxy.url } };
  let server: ServerProcess;
  try {
    server = await startBuilt(environment);
  } catch (error) {
    await proxy.close();
    throw error;
  }
  let started = Promise.resolve();
  async function kill(): Promise<void> {
    await server.kill();
    server = await startAgain(environment);
  }
  return {
    /** Its address; while it is down, the one it had. */
    url: () => server.url,
    /** Kills it, as a power failure would, and starts it again. */
    kill: () => (started = started.then(kill)),
    /** All its connections to the database are lost. */
    cut: proxy.cutAll,
    /** Its next commit loses its connection. */
    cutNextCommit: proxy.cutNextCommit,
    /** Stops it gracefully and returns its exit code. */
    stop: () => server.stop(),
    async close() {
      await server.kill();
      await proxy.close();
    },
  };
}

export type Machine = Awaited<ReturnType<typeof startMachine>>;

/** A server ends if it loses its connection while it starts; a service manager starts it again. */
async function startAgain(environment: Parameters<typeof startBuilt>[0]): Promise<ServerProcess> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startBuilt(environment);
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
}
