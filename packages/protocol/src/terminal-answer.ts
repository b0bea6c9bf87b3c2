/** The answer that a terminal got for a tool call. */
export type TerminalAnswer = "allow" | "deny";

/** The run of such a call, as its terminal reports it. Only the terminal knows the output. */
export interface TerminalRun {
  readonly isError: boolean;
  readonly exitCode?: number;
}

const ANSWERS: readonly TerminalAnswer[] = ["allow", "deny"];
const RUN = /^\{"ranInTerminal":(true|false)(?:,"exitCode":(\d{1,3}))?\}$/;

/** Returns the logged result of a call in a terminal, until the terminal reports its run. */
export function toTerminalResult(answer: TerminalAnswer): { readonly toTerminal: TerminalAnswer } {
  return { toTerminal: answer };
}

/** Returns the answer that a terminal got, from the result of a call. `undefined` for any other result. */
export function readTerminalResult(content: string): TerminalAnswer | undefined {
  return ANSWERS.find((answer) => content === JSON.stringify(toTerminalResult(answer)));
}

/** The result of a call that has run in a terminal, as the log keeps it. */
export function toTerminalRun({ isError, exitCode }: TerminalRun): string {
  return JSON.stringify({ ranInTerminal: !isError, exitCode });
}

/** The run of which the result of a call tells; `undefined` for every other result. */
export function readTerminalRun(content: string): TerminalRun | undefined {
  const [, succeeded, exitCode] = RUN.exec(content) ?? [];
  if (succeeded === undefined) return undefined;
  return {
    isError: succeeded === "false",
    ...(exitCode !== undefined && { exitCode: Number(exitCode) }),
  };
}
