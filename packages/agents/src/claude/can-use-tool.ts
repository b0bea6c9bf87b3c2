import { decideApproval } from "./decide-approval.ts";
import { decideQuestion, QUESTION_TOOL } from "./decide-question.ts";
import { deny } from "./denials.ts";
import type { Decision, ToolAsk, ToolAskTurn } from "./tool-ask.ts";

/**
 * Asks a person whether a tool may run. Never rejects, since the runtime would report a broken permission system to the
 * model. If no one can be asked, the tool use is denied.
 */
export async function decideToolUse(ask: ToolAsk, turn: ToolAskTurn): Promise<Decision> {
  try {
    return ask.toolName === QUESTION_TOOL
      ? await decideQuestion(ask, turn)
      : await decideApproval(ask, turn);
  } catch (error: unknown) {
    const cause = error instanceof Error ? error.message : String(error);
    return deny(`${ask.toolName} was not run, because no one could be asked: ${cause}`);
  }
}
