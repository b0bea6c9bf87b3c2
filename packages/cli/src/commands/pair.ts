import { askGateway } from "../control/ask-gateway.ts";

export interface PairOptions {
  readonly dataDir: string;
  readonly json: boolean;
}

/**
 * Makes the running gateway show a pairing code for another device in its terminal. Resolves with the command's output.
 */
export async function pair({ dataDir, json }: PairOptions): Promise<string> {
  const answer = await askGateway(dataDir, { command: "pair" });
  return json
    ? `${JSON.stringify(answer)}\n`
    : "The code is in the terminal of the gateway. It is not shown here, because an agent could run this command.\n";
}
