import { isAbsolute, relative, sep } from "node:path";
import { isDeepStrictEqual } from "node:util";

import type { HoldRequest } from "@holdpoint/engine";
import type { ApprovalDisplay, FileChange } from "@holdpoint/protocol";

import { deny, denyAsSaid, denyChanged, denyUnanswered } from "./denials.ts";
import { findFileChange, isAsShown, whereLeads } from "./file-change.ts";
import { problemOfEdit } from "./problem-of-edit.ts";
import type { Decision, ToolAsk, ToolAskFacts, ToolAskTurn } from "./tool-ask.ts";
import { pathOf, toRuleText, widerScopes, type WiderScopes } from "./wider-scopes.ts";

/** Gateways refuse requests over 256 KiB by default, so a change that would make a request larger is left out. */
const MAX_REQUEST_BYTES = 240 * 1024;

/**
 * Asks a person about a tool call. The tool runs with the input that the gateway stored, or with the edit that it
 * stored. Everything except an approval is a denial.
 */
export async function decideApproval(ask: ToolAsk, turn: ToolAskTurn): Promise<Decision> {
  const { toolName, about } = ask;
  const path = pathOf(ask);
  const leadsTo = path === undefined ? undefined : await whereLeads(path, turn.cwd);
  const { updates = [], ...offered } = widerScopes(ask, { ...turn, leadsTo });
  const request = await toHoldRequest(ask, turn.cwd, offered);
  const result = await turn.hold(request, { signal: about.signal });
  if (result.outcome !== "answered") return denyUnanswered(toolName, result);
  turn.handingOver((knowledge) => result.delivered(knowledge));
  const { response, input } = result;
  if (response.action !== "approve") return denyAsSaid(toolName, response);
  if (input === undefined) return deny(`${toolName} was not run: its stored input is missing.`);
  const problem = response.editedInput && problemOfEdit(input, ask.input);
  if (problem !== undefined) return deny(`${toolName} was not run: ${problem}`);
  const isShown = isDeepStrictEqual(input, ask.input);
  const changed = isShown ? await refuseChanged(ask, turn.cwd, request.change) : undefined;
  if (changed) return changed;
  const isForSession = response.approvalScope === "session" && updates.length > 0;
  return {
    behavior: "allow",
    updatedInput: input,
    ...(isForSession && { updatedPermissions: [...updates] }),
  };
}

async function refuseChanged(
  { toolName, input }: ToolAsk,
  cwd: string,
  change: FileChange | undefined,
): Promise<Decision | undefined> {
  if (!change || (await isAsShown({ toolName, input, cwd }, change))) return undefined;
  return denyChanged(toolName, change.path);
}

async function toHoldRequest(
  { toolName, input, about }: ToolAsk,
  cwd: string,
  offered: Omit<WiderScopes, "updates">,
): Promise<Extract<HoldRequest, { kind: "approval" }>> {
  const isOutside = about.blockedPath !== undefined && (await leadsOut(about.blockedPath, cwd));
  const request = {
    kind: "approval" as const,
    toolCallId: about.toolUseID,
    toolName,
    ...(about.agentID !== undefined && { agentId: about.agentID }),
    input,
    cwd,
    display: {
      ...toDisplay({ toolName, input, about }),
      ...(isOutside && { blockedPath: about.blockedPath }),
    },
    ...offered,
    editable: true,
    ...(about.defaultToNo === true && { defaultToDeny: true }),
  };
  const change = await findFileChange(toolName, input, { cwd });
  const whole = { ...request, ...(change && { change }) };
  return Buffer.byteLength(JSON.stringify(whole)) > MAX_REQUEST_BYTES ? request : whole;
}

/**
 * Whether the path leaves the session's folder. `blockedPath` can also be inside: the runtime sets it for every path
 * that needs a permission.
 */
async function leadsOut(path: string, cwd: string): Promise<boolean> {
  const [from, to] = await Promise.all([whereLeads(cwd, cwd), whereLeads(path, cwd)]);
  const [first] = relative(from, to).split(sep, 1);
  return first === ".." || isAbsolute(relative(from, to));
}

function toDisplay({ toolName, input, about }: ToolAsk): ApprovalDisplay {
  const title = about.title ?? (about.displayName === toolName ? undefined : about.displayName);
  const reason = toReason(about);
  return {
    ...(title !== undefined && { title }),
    // Without the agent's own description, the runtime describes a call by its path, its command or its address.
    ...(about.description !== undefined &&
      about.description === input["description"] && { description: about.description }),
    ...(reason !== undefined && { reason }),
    ...(about.mcpServer !== undefined && { server: about.mcpServer.name }),
  };
}

/** The runtime's standard texts for a missing reason. */
const NO_REASON = /^(?:This command requires approval|Claude requested permissions? to .*)\.?$/su;

function toReason({ decisionReason: said, matchedAskRule }: ToolAskFacts): string | undefined {
  const decisionReason = said === undefined || NO_REASON.test(said) ? undefined : said;
  if (matchedAskRule === undefined) return decisionReason;
  const because = `The rule ${toRuleText(matchedAskRule)} (${matchedAskRule.source}) requires asking about this.`;
  return decisionReason === undefined ? because : `${decisionReason} ${because}`;
}
