export { defineTool, ToolError } from "@holdpoint/engine";
export type {
  AnyValues,
  ApprovalRequest,
  ApprovalResponse,
  FormField,
  FormFields,
  FormInput,
  FormRequest,
  FormResponse,
  InteractionOutcome,
  InteractionRequest,
  OptionInput,
  PersonResponse,
  QuestionInput,
  QuestionRequest,
  QuestionResponse,
  Reprompt,
  RequestInteraction,
  Tool,
  ToolApprovals,
  ToolContext,
  ToolErrorCode,
  ToolInteraction,
  ToolLog,
  ValuesOf,
} from "@holdpoint/engine";
export { defineConfig } from "./config/define-config.ts";
export type { Config } from "./config/define-config.ts";
