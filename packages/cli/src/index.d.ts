export { defineTool, ToolError } from "@holdpoint/engine";
export type {
  ApprovalRequest,
  FormField,
  FormFields,
  FormRequest,
  InteractionOutcome,
  InteractionRequest,
  OptionInput,
  PersonResponse,
  QuestionInput,
  QuestionRequest,
  Reprompt,
  Tool,
  ToolApprovals,
  ToolContext,
  ToolErrorCode,
  ToolInteraction,
  ToolLog,
} from "@holdpoint/engine";
export { defineConfig } from "./define-config.ts";
export type { Config } from "./define-config.ts";
