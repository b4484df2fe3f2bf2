/** How much memory a run over a large file takes. */
import { setFlagsFromString } from "node:v8";

/**
 * Has V8 collect what is done with sooner. Left to itself it lets the heap grow to several times of what is alive, because
 * nothing stops it: 100,000 rows took 390 MB, of which 40 were in use. With these two flags of its heuristics they take
 * 200, for a few per cent more time. (Node 24; both are read at each collection, so they count from here on.)
 */
export function keepMemorySmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=80");
}
