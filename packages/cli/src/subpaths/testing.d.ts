export { createScriptedAdapter, SimulatedClock } from "@holdpoint/engine/testing";
export type { ScriptedAdapter, ScriptedSession, TurnScript } from "@holdpoint/engine/testing";
export { openToolBench } from "../testing/tool-bench.ts";
export type { ToolBench, ToolBenchOptions } from "../testing/tool-bench.ts";
