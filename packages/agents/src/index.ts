export { createDemoAdapter } from "./demo/demo-adapter.ts";
export type { DemoAdapterOptions } from "./demo/demo-adapter.ts";
export { agentEnvironment } from "./host/agent-environment.ts";
export { HostedProcess } from "./host/hosted-process.ts";
export { spawnHosted } from "./host/spawn-hosted.ts";
export type { SpawnHostedOptions } from "./host/spawn-hosted.ts";
export { createClaudeAdapter } from "./claude/claude-adapter.ts";
export type { ClaudeAdapterOptions, HostProcess, OpenTools } from "./claude/claude-adapter.ts";
