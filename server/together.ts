/** What the processes of one server do together, and a server of one process does alone (docs/decisions/0014). */
import type { H3Event, HTTPResponse } from "h3";
import type { Appliance } from "../src/appliance.ts";
import type { Readiness } from "../src/upkeep/readiness.ts";
import { createWindows, type Windows } from "./limits.ts";

export interface Together {
  readonly windows: Windows;
  ready(): Promise<Readiness>;
  /** The response of `/metrics`. */
  metrics(): Promise<{ contentType: string; text: string }>;
  /** Serves the console's uploads where another process keeps them. */
  serveUpload?(event: H3Event): Promise<HTTPResponse>;
}

export function serveAlone(appliance: Appliance): Together {
  return {
    windows: createWindows(appliance),
    ready: () => appliance.ready(),
    async metrics() {
      const { contentType, text } = await appliance.metrics();
      return { contentType, text: await text() };
    },
  };
}
