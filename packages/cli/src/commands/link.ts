import { askGateway } from "../control/ask-gateway.ts";

export interface LinkOptions {
  readonly dataDir: string;
  readonly json: boolean;
}

/** Lets the gateway that runs show a new launch link in its terminal; resolves with what to print here. */
export async function link({ dataDir, json }: LinkOptions): Promise<string> {
  const answer = await askGateway(dataDir, { command: "link" });
  return json
    ? `${JSON.stringify(answer)}\n`
    : "The link is in the terminal that the gateway runs in, and not here, where an agent could ask for it.\n";
}
