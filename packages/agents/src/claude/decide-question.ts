import { toAnsweredInput, toQuestions } from "./ask-user-question.ts";
import { deny, denyAsSaid, denyUnanswered } from "./denials.ts";
import type { Decision, ToolAsk, ToolAskTurn } from "./tool-ask.ts";

/** The runtime's tool that asks a person questions; the answers travel in its input. */
export const QUESTION_TOOL = "AskUserQuestion";

/** The format in which the model writes previews. */
export const PREVIEW_FORMAT = "markdown";

/** Passes the model's questions to a person. Questions without an unambiguous answer go back to the model instead. */
export async function decideQuestion(ask: ToolAsk, turn: ToolAskTurn): Promise<Decision> {
  const { toolName, input, about } = ask;
  const parsed = toQuestions(input, PREVIEW_FORMAT);
  if (!parsed.ok) return deny(parsed.message);
  const { questions } = parsed;
  const result = await turn.hold(
    {
      kind: "question",
      toolCallId: about.toolUseID,
      toolName,
      ...(about.agentID !== undefined && { agentId: about.agentID }),
      questions,
    },
    { signal: about.signal },
  );
  if (result.outcome !== "answered") return denyUnanswered(toolName, result);
  turn.handingOver((knowledge) => result.delivered(knowledge));
  const updatedInput = toAnsweredInput(input, questions, result.response);
  return updatedInput === undefined
    ? denyAsSaid(toolName, result.response)
    : { behavior: "allow", updatedInput };
}
