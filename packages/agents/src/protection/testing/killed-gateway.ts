import { createSystemClock } from "@holdpoint/engine";

import { openCrashMarks } from "../crash-marks.ts";
import { openJudgePool } from "../judge-pool.ts";

/** Checks a call for ever, like a gateway that is killed during the check. */
const [folder = "", callId = ""] = process.argv.slice(2);
const clock = createSystemClock();
const pool = openJudgePool({
  program: new URL("./odd-judges.ts", import.meta.url),
  setup: { verdict: "deny" },
  clock,
  marks: openCrashMarks(folder, clock),
});
const judge = pool.judge("waits");
void judge({ toolName: "Bash", input: {}, cwd: "/work", callId });
process.stdout.write("checking\n");
process.stdin.resume();
