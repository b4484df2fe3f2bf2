/** One server, and the proxy between it and the database. */
import { startProxy } from "../helpers/postgres-proxy.ts";
import { type ServerProcess, startBuilt } from "../helpers/server-process.ts";

export interface Machine {
  /** Its address; while it is down, the one it had. */
  url(): string;
  /** Kills it, as a power failure would, and starts it again. */
  kill(): Promise<void>;
  /** All its connections to the database are lost. */
  cut(): void;
  /** Its next commit loses its connection. */
  cutNextCommit(): void;
  /** Stops it gracefully and returns its exit code. */
  stop(): Promise<number | null>;
  close(): Promise<void>;
}

export interface MachineOptions {
  folder: string;
  settings: Record<string, string>;
  /** The address of the database. */
  url: string;
  /** Whether a commit that is cut reaches the database, and only its answer is lost. */
  losesAnswer: boolean;
}

export async function startMachine({ folder, settings, url, losesAnswer }: MachineOptions): Promise<Machine> {
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
    url: () => server.url,
    kill: () => (started = started.then(kill)),
    cut: proxy.cutAll,
    cutNextCommit: proxy.cutNextCommit,
    stop: () => server.stop(),
    async close() {
      await server.kill();
      await proxy.close();
    },
  };
}

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
