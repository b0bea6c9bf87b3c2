import { createServer } from "@holdpoint/server";
import { createSystemClock } from "holdpoint/engine";
import { openToolBench, type ToolBench } from "holdpoint/testing";

import sendInvoice from "./tools/send-invoice.ts";

export const TOKEN = "guide-".padEnd(43, "0");

/** The bench of the invoice tool, with a server for programs. */
export async function serveBench(): Promise<ToolBench & { readonly url: string }> {
  const bench = await openToolBench({ tool: sendInvoice });
  const server = createServer({
    gateway: bench.gateway,
    clock: createSystemClock(),
    version: "0.0.0",
    personToken: TOKEN,
  });
  const { url } = await server.listen({ host: "127.0.0.1", port: 0 });
  const stop = async (): Promise<void> => {
    await server[Symbol.asyncDispose]();
    await bench.stop();
  };
  return { ...bench, url, stop, [Symbol.asyncDispose]: stop };
}
