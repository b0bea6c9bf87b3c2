import type {
  AskResult,
  EditPermission,
  EditResult,
  FormResult,
  GatewayToolResult,
  NoAnswer,
} from "./step.ts";

/** The text with `>` before each line. */
export function quote(text: string): string {
  return text
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}

/** A question's tool result for the agent, worded as for a model. */
export function toToolResult(result: AskResult): string {
  switch (result.outcome) {
    case "answered":
      return result.answers
        .map(({ question, labels, other }) => {
          const own = other === undefined ? [] : [`in their own words: ${other}`];
          return `${question.header}: ${[...labels, ...own].join(", ") || "nothing chosen"}`;
        })
        .join("\n");
    case "replied":
      return `Reply to all questions: ${result.reply}`;
    case "cancelled":
      return withReason("The person does not want to answer.", result.reason);
    case "unanswered":
    case "refused":
      return toToolRefusal(result);
  }
}

/** The tool result for a request without an answer. */
export function toToolRefusal(result: NoAnswer): string {
  if (result.outcome === "refused") return `There is no answer: ${result.reason}`;
  return result.takesLateAnswer
    ? "No one has answered yet. A later answer will come as a message."
    : "No one answered in time.";
}

export function toToolDenial(reason: string | undefined): string {
  return withReason("The person denied this. Nothing was changed.", reason);
}

function withReason(text: string, reason: string | undefined): string {
  return reason === undefined ? text : `${text} Reason: ${reason}`;
}

export function sayAnswers(result: AskResult): string {
  switch (result.outcome) {
    case "answered": {
      const heard = Object.fromEntries(
        result.answers.map(({ question, labels, other }) => [
          question.id,
          other === undefined ? labels : [...labels, { other }],
        ]),
      );
      const code = JSON.stringify(heard, null, 2);
      return `Thank you. This is what reached me, word for word:\n\n\`\`\`json\n${code}\n\`\`\``;
    }
    case "replied":
      return `You answered the whole card in your own words:\n\n${quote(result.reply)}`;
    case "cancelled":
      return result.reason === undefined
        ? "You closed the card without an answer. That is fine: I make none up."
        : `You chose not to answer, and told me why:\n\n${quote(result.reason)}`;
    case "unanswered":
    case "refused":
      return `${sayNoAnswer(result)} I continue without an answer and make none up.`;
  }
}

export function toFormToolResult(result: FormResult, secrets: readonly string[]): string {
  switch (result.outcome) {
    case "submitted":
      return JSON.stringify(withoutSecrets(result.values, secrets));
    case "cancelled":
      return withReason("The person does not want to fill in the form.", result.reason);
    case "unanswered":
    case "refused":
      return toToolRefusal(result);
  }
}

/** `secrets`: fields whose values the demo agent does not repeat. */
export function sayForm(result: FormResult, secrets: readonly string[]): string {
  switch (result.outcome) {
    case "submitted": {
      const heard = JSON.stringify(withoutSecrets(result.values, secrets), null, 2);
      return `Thank you. This is what reached me:\n\n\`\`\`json\n${heard}\n\`\`\``;
    }
    case "cancelled":
      return result.reason === undefined
        ? "You closed the form. That is fine: I make nothing up."
        : `You closed the form, and told me why:\n\n${quote(result.reason)}`;
    case "unanswered":
    case "refused":
      return `${sayNoAnswer(result)} I continue without an answer and make none up.`;
  }
}

function withoutSecrets(
  values: Readonly<Record<string, unknown>>,
  secrets: readonly string[],
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(values);
  const told = entries.map(([id, value]) => [id, secrets.includes(id) ? "(received)" : value]);
  return Object.fromEntries(told) as Readonly<Record<string, unknown>>;
}

export function sayGatewayTool({ content, isError }: GatewayToolResult): string {
  return isError
    ? `The tool gave me no answer:\n\n${quote(content)}`
    : `This is what the tool gave me:\n\n\`\`\`json\n${content}\n\`\`\``;
}

export function sayEdit(result: EditResult, file: string): string {
  switch (result.outcome) {
    case "edited":
      return sayPermission(result.because, file);
    case "denied":
      return result.reason === undefined
        ? `You said no, so \`${file}\` is as it was.`
        : `You said no, so \`${file}\` is as it was. Your reason reached me:\n\n${quote(result.reason)}`;
    case "failed":
      return `You allowed it, but the edit did not work: ${result.message}`;
    case "unanswered":
    case "refused":
      return `${sayNoAnswer(result)} \`${file}\` is as it was: silence is never a yes.`;
  }
}

function sayPermission(because: EditPermission, file: string): string {
  switch (because) {
    case "approved":
      return `Done: \`${file}\` now has exactly the change that you saw.`;
    case "changed":
      return "Done, with your change: your version of the input ran, not mine.";
    case "session":
      return `Done: I changed \`${file}\`, as you allowed edits in my folder for this session.`;
    case "mode":
      return `Done. I changed \`${file}\` without asking: the session's permission mode accepts edits in my folder.`;
  }
}

function sayNoAnswer(result: NoAnswer): string {
  if (result.outcome === "refused") return `I got no answer: ${result.reason}`;
  return result.takesLateAnswer
    ? "No one has answered yet. The card stays open, and a late answer will reach me as a message."
    : "No one answered in time.";
}
