/** The answer that a terminal got for a tool call. */
export type TerminalAnswer = "allow" | "deny";

const ANSWERS: readonly TerminalAnswer[] = ["allow", "deny"];

/** Returns the logged result of a call in a terminal. Only the terminal knows the actual result. */
export function toTerminalResult(answer: TerminalAnswer): { readonly toTerminal: TerminalAnswer } {
  return { toTerminal: answer };
}

/** Returns the answer that a terminal got, from the result of a call. `undefined` for any other result. */
export function readTerminalResult(content: string): TerminalAnswer | undefined {
  return ANSWERS.find((answer) => content === JSON.stringify(toTerminalResult(answer)));
}
