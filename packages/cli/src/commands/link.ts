import { askGateway } from "../control/ask-gateway.ts";

export interface LinkOptions {
  readonly dataDir: string;
  readonly json: boolean;
}

/** Makes the running gateway show a new launch link in its terminal. Resolves with the command's output. */
export async function link({ dataDir, json }: LinkOptions): Promise<string> {
  const answer = await askGateway(dataDir, { command: "link" });
  return json
    ? `${JSON.stringify(answer)}\n`
    : "The link is in the terminal of the gateway. It is not shown here, because an agent could run this command.\n";
}
