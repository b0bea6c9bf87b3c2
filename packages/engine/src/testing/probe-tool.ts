import { defineTool, type Tool } from "../tools/define-tool.ts";
import type { ToolContext } from "../tools/tool-context.ts";
import { openScene, type ToolScene } from "./tool-scene.ts";

/** A tool whose handler is the test's own. */
export function probeTool(
  handler: (context: ToolContext, args: Record<string, unknown>) => unknown,
): Tool {
  return defineTool({
    name: "probe",
    description: "Does what the test says.",
    parameters: { type: "object" },
    handler: (args, context) => handler(context, args),
  });
}

/** A scene in which a call of a tool with this handler has come to its question. */
export async function openProbe(
  handler: (context: ToolContext) => unknown,
  args: Record<string, unknown> = {},
): Promise<{ scene: ToolScene; result: ReturnType<ToolScene["call"]>["result"] }> {
  const scene = await openScene({ tools: [probeTool(handler)] });
  const { result } = scene.call({ name: "probe", args });
  await scene.clock.settle();
  return { scene, result };
}

/** The value that a call has resulted in. */
export async function valueOf(result: Promise<{ content: string }>): Promise<unknown> {
  return JSON.parse((await result).content);
}
