import { fileURLToPath } from "node:url";

import { judgeProgram } from "./claude/claude-judges.ts";
import { defaultHostProgram } from "./host/spawn-hosted.ts";

/** The files of this package that are started as programs. Without one of them no agent works. */
export function ownPrograms(): readonly string[] {
  return [fileURLToPath(judgeProgram()), defaultHostProgram()];
}
