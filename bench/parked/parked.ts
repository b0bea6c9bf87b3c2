import { join } from "node:path";

import { call, withProcess } from "../support/processes.ts";
import { atMost, type Row } from "../support/report.ts";
import type { ParkedFigures } from "./measure-parked.ts";

const MAX_HEAP_BYTES = 2 * 1024 * 1024;
const MAX_START_MS = 300;

/** The cost of 1,000 parked sessions: on the heap, and at the next start. Their agents have no process. */
export async function measureParked(): Promise<Row[]> {
  const program = join(import.meta.dirname, "parked-process.ts");
  const figures = await withProcess(program, [], (child) => call<ParkedFigures>(child, {}));
  const { sessions, heapBytes, startMs } = figures;
  return [
    {
      what: `heap of ${sessions.toLocaleString("en")} parked sessions`,
      figure: `${(heapBytes / 1024 / 1024).toFixed(2)} MB`,
      budget: atMost(heapBytes, MAX_HEAP_BYTES, `${MAX_HEAP_BYTES / 1024 / 1024} MB`),
    },
    {
      what: `a start with ${sessions.toLocaleString("en")} parked sessions, above one with none`,
      figure: `${startMs.toFixed(0)} ms`,
      budget: atMost(startMs, MAX_START_MS, `${MAX_START_MS} ms`),
    },
  ];
}
