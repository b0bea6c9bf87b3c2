import { loopbackDirect } from "@holdpoint/agents/loopback";

import { mapBuffers } from "./map-buffers.ts";
import { withoutOwnPrograms } from "./search-path.ts";

/** Runs the command line as a program. Loads the rest only then: a gateway may start again first. */
export async function runProgram(args: readonly string[]): Promise<void> {
  const { env } = process;
  // For this program, and for everything that is started from here, agents too.
  Object.assign(env, loopbackDirect(env));
  if (env["PATH"] !== undefined) env["PATH"] = withoutOwnPrograms(env["PATH"], process.cwd());
  mapBuffers(args);
  const [command, ...rest] = args;
  if (command === "ask") {
    // A script asks in passing: it does not load what runs a gateway.
    const { runAsk } = await import("./commands/run-ask.ts");
    process.exitCode = await runAsk(rest);
    return;
  }
  const { main } = await import("./main.ts");
  await main(args);
}
