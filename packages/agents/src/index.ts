export { agentEnvironment } from "./host/agent-environment.ts";
export { HostedProcess } from "./host/hosted-process.ts";
export { spawnHosted } from "./host/spawn-hosted.ts";
export type { SpawnHostedOptions } from "./host/spawn-hosted.ts";
