import type { PermissionRuleValue } from "@anthropic-ai/claude-agent-sdk";

/** What a rule of the runtime covers, in plain words. */
export function describeRule({ toolName, ruleContent }: PermissionRuleValue): string {
  if (ruleContent === undefined) return `every use of ${describeTool(toolName)}`;
  if (toolName === "Bash") return describeCommands(ruleContent);
  const domain = /^domain:(.+)$/u.exec(ruleContent)?.[1];
  if (domain !== undefined) return `every use of ${toolName} on ${domain}`;
  // The runtime suggests the folder of the file, and for a file of a folder within it that folder.
  const folder = /^\/(\/.*)\/\*\*$/u.exec(ruleContent)?.[1];
  if (folder !== undefined) return `every use of ${toolName} directly in ${folder}`;
  return `every use of ${describeTool(toolName)} that matches “${ruleContent}”`;
}

/** A rule as the runtime writes it, such as `Bash(npm run *)`. */
export function toRuleText({ toolName, ruleContent }: PermissionRuleValue): string {
  return ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`;
}

function describeCommands(ruleContent: string): string {
  const prefix = /^(.*?)(?::\*| \*)$/su.exec(ruleContent)?.[1];
  if (prefix !== undefined) return `every command that begins with “${prefix}”`;
  return ruleContent.includes("*")
    ? `every command that matches “${ruleContent}”`
    : `exactly the command “${ruleContent}”`;
}

function describeTool(toolName: string): string {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/u.exec(toolName) ?? [];
  return server === undefined || tool === undefined ? toolName : `${tool} of the server ${server}`;
}
