import { join } from "node:path";

import { call, withProcess } from "../support/processes.ts";
import { atMost, type Row } from "../support/report.ts";
import type { PendingFigures } from "./measure-pending.ts";

const MAX_BYTES_ALONE = 1024;
const MAX_BYTES_FOLLOWED = 1536;
const MAX_BYTES_LEFT = 2 * 1024 * 1024;

/** The heap memory of pending interactions, with and without a client that follows their sessions. */
export async function measurePendingHeap(): Promise<Row[]> {
  const alone = await measureIn("alone");
  const followed = await measureIn("followed");
  return [
    pendingRow("nobody follows", alone, MAX_BYTES_ALONE),
    pendingRow("its session is followed", followed, MAX_BYTES_FOLLOWED),
    {
      what: "heap left after all were settled",
      figure: `${(followed.bytesLeft / 1024 / 1024).toFixed(1)} MB`,
      budget: atMost(followed.bytesLeft, MAX_BYTES_LEFT, `${MAX_BYTES_LEFT / 1024 / 1024} MB`),
    },
  ];
}

function measureIn(audience: "alone" | "followed"): Promise<PendingFigures> {
  const program = join(import.meta.dirname, "pending-process.ts");
  return withProcess(program, [audience], (child) => call<PendingFigures>(child, {}));
}

function pendingRow(audience: string, figures: PendingFigures, limit: number): Row {
  const { interactions, bytesPerPending } = figures;
  return {
    what: `heap of each of ${interactions.toLocaleString("en")} pending interactions, ${audience}`,
    figure: `${Math.round(bytesPerPending)} bytes`,
    budget: atMost(bytesPerPending, limit, `${limit} bytes`),
  };
}
