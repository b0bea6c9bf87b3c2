/**
 * A real graph with two nodes that wait in parallel, run by the recipe of guides/programs.md. Prints the outcome of
 * each node. Arguments: the gateway's address and an agent's token.
 */
export const GRAPH_PROGRAM = `import { Annotation, Command, END, interrupt, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { createHttpTransport } from "holdpoint/client";
import { runGraph } from "./resume-graph.ts";

const [, , baseUrl = "", token = ""] = process.argv;
await using gateway = createHttpTransport({ baseUrl, token, clientId: "graph" });
const did = Annotation({ reducer: (left, right) => [...left, ...right], default: () => [] });
const node = (name, question) => () => {
  const allowed = interrupt({ question });
  return { did: [[name, allowed]] };
};
const compiled = new StateGraph(Annotation.Root({ did }))
  .addNode("publish", node("publish", "Publish it?"))
  .addNode("pay", node("pay", "Pay for it?"))
  .addEdge(START, "publish")
  .addEdge(START, "pay")
  .addEdge("publish", END)
  .addEdge("pay", END)
  .compile({ checkpointer: new MemorySaver() });
const graph = {
  invoke: (input, config) => compiled.invoke(input, config),
  toCommand: (resume) => new Command({ resume }),
};
const ended = await runGraph(gateway, graph, { threadId: "t1", input: {} });
console.log(JSON.stringify(ended.did));
process.exit(0);
`;
