import type { Interaction } from "@holdpoint/protocol";

const maxInputLength = 300;

/** What a lasting grant covers, in the words that the person saw. */
export function scopeTextOf(
  { toolName, approval }: Interaction,
  scope: "session" | "always",
): string {
  return (
    approval?.scopeText[scope] ??
    `Calls of ${toolName} that it takes for the same as the approved one: ${inputText(approval?.input)}`
  );
}

export function onceText(input: Readonly<Record<string, unknown>>): string {
  return `One call with exactly the approved input: ${inputText(input)}`;
}

function inputText(input: unknown): string {
  const text = JSON.stringify(input ?? {});
  const rest = text.length - maxInputLength;
  return rest > 0 ? `${text.slice(0, maxInputLength)} … and ${rest} characters more` : text;
}
