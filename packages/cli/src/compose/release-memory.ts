import { performance } from "node:perf_hooks";
import v8 from "node:v8";
import { runInNewContext } from "node:vm";

import type { Clock } from "@holdpoint/engine";
import { residentBytes } from "@holdpoint/server";

/** How often memory is checked. */
const LOOK_MS = 5000;
/** Growth below this is not worth a pause. */
const GROWTH_BYTES = 32 * 1024 * 1024;
/** A process is quiet if it was busy for at most this share of the time since the last check. */
const QUIET_SHARE = 0.05;
/** The maximum number of checks between two collections: ten minutes. */
const LONGEST_PAUSE = 120;

/** A process's memory and load. */
export interface ProcessMemory {
  /** The resident memory; `undefined` if the system does not report it, for example without free file descriptors. */
  residentBytes(): number | undefined;
  /** The share of the time since the last call in which the process was busy: 0 to 1. */
  busyShare(): number;
  /** Frees unused memory and returns it to the system. Pauses the process, usually for about 100 ms. */
  collect(): void;
}

/**
 * Returns memory to the system after a peak, until disposed. V8 keeps memory once taken: an idle process collects no
 * garbage, and its young generation grows to 128 MiB and stays there. So when the process has grown and is quiet again,
 * all garbage is collected. If that does not help, since the memory is in use, further attempts come at growing
 * intervals.
 */
export function releaseMemory(clock: Clock, memory: ProcessMemory = ownMemory()): Disposable {
  let smallestBytes = memory.residentBytes() ?? Number.POSITIVE_INFINITY;
  let looksLeft = 0;
  let pause = 1;
  let timer: Disposable | undefined;
  const hasGrown = (): boolean => (memory.residentBytes() ?? 0) - smallestBytes >= GROWTH_BYTES;
  const look = (): void => {
    timer = clock.after(LOOK_MS, look);
    const isQuiet = memory.busyShare() <= QUIET_SHARE;
    looksLeft = Math.max(0, looksLeft - 1);
    if (isQuiet && hasGrown() && looksLeft === 0) {
      memory.collect();
      pause = Math.min(2 * pause, LONGEST_PAUSE);
      looksLeft = pause;
    }
    if (!hasGrown()) [looksLeft, pause] = [0, 1];
    smallestBytes = Math.min(smallestBytes, memory.residentBytes() ?? smallestBytes);
  };
  timer = clock.after(LOOK_MS, look);
  return {
    [Symbol.dispose]() {
      timer?.[Symbol.dispose]();
    },
  };
}

/** The memory and load of this process. */
function ownMemory(): ProcessMemory {
  let lastLoad = performance.eventLoopUtilization();
  return {
    residentBytes,
    busyShare() {
      const load = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(load, lastLoad);
      lastLoad = load;
      return utilization;
    },
    collect() {
      // Only this kind of collection shrinks the young generation: `flavor` in V8's src/extensions/gc-extension.cc.
      exposedGc()({ type: "major", execution: "sync", flavor: "last-resort" });
    },
  };
}

type Gc = (options: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;

/** V8's own function, taken from a separate context, so that the code of tools and config files does not get it. */
function exposedGc(): Gc {
  v8.setFlagsFromString("--expose-gc");
  try {
    return runInNewContext("gc") as Gc;
  } finally {
    v8.setFlagsFromString("--no-expose-gc");
  }
}
