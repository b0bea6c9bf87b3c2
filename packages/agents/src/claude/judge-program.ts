import { createGitJudge } from "../protection/judge-git.ts";
import { createJudge } from "../protection/judge-tool-use.ts";
import type { ProtectedPaths } from "../protection/protected-paths.ts";
import { serveJudges } from "../protection/serve-judges.ts";
import { createOwnFilesJudge, firstOf } from "./judge-own-files.ts";
import { isGatewayTool } from "./tool-server.ts";

export interface ClaudeJudgesSetup {
  readonly protectedPaths: ProtectedPaths;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

serveJudges((setup) => {
  const { protectedPaths: paths, environment } = setup as ClaudeJudgesSetup;
  return {
    judge: createJudge({ paths, environment, asksItself: isGatewayTool }),
    judgeUnasked: firstOf(createOwnFilesJudge(environment), createGitJudge(environment)),
  };
});
