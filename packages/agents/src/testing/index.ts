export { inOrder, openScriptedModel } from "./scripted-model.ts";
export type { ModelScript, ScriptedModel } from "./scripted-model.ts";
export { callTool, fail, say, stall, think } from "./scripted-model-reply.ts";
export type { ModelBlock, ModelFailure, ModelReply } from "./scripted-model-reply.ts";
export type { ModelRequest, ModelToolResult } from "./scripted-model-request.ts";
export { addElicitingServer } from "./eliciting.ts";
