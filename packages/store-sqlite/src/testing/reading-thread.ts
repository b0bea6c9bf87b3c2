// Reads a database without a pause: each transaction begins before the one before it ends. workerData: path.
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

const READ_MS = 10;
const connections = [0, 1].map(() => new DatabaseSync(workerData as string, { readOnly: true }));

function begin(connection: DatabaseSync): void {
  connection.exec("BEGIN");
  connection.prepare("SELECT count(*) FROM sqlite_schema").get();
}

let reading = false;
for (let turn = 0; ; turn += 1) {
  const next = connections[turn % 2];
  const last = connections[(turn + 1) % 2];
  if (next) begin(next);
  if (reading) last?.exec("COMMIT");
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  else parentPort?.postMessage("reading");
  reading = true;
  await setTimeout(READ_MS);
}
