import { loopbackDirect } from "@holdpoint/agents/loopback";

import { mapBuffers } from "./map-buffers.ts";
import { withoutOwnPrograms } from "./search-path.ts";

/** Runs the command line as a program. Loads other modules late, because the program may first restart itself. */
export async function runProgram(args: readonly string[]): Promise<void> {
  const { env } = process;
  // For this program and all programs started from it, including agents.
  Object.assign(env, loopbackDirect(env));
  if (env["PATH"] !== undefined) env["PATH"] = withoutOwnPrograms(env["PATH"], process.cwd());
  mapBuffers(args);
  const [command, ...rest] = args;
  if (command === "ask") {
    // Keeps `ask` light: it does not load the gateway's modules.
    const { runAsk } = await import("./commands/run-ask.ts");
    process.exitCode = await runAsk(rest);
    return;
  }
  const { main } = await import("./main.ts");
  await main(args);
}
