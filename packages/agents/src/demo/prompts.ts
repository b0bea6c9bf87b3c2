/** The prompts that the demo agent understands, which are also its suggestions. */
export const PROMPTS = {
  tour: "Walk me through everything",
  questions: "Ask me two questions",
  edit: "Edit a file with my approval",
  threeThings: "Ask me three things at once",
  threeEdits: "Edit three files at once",
  form: "Ask me with a form",
  gatewayTool: "Use one of the gateway's tools",
  failure: "Show me an error",
} as const;

export type PromptName = keyof typeof PROMPTS;

/** The prompt with this text, ignoring case, spaces and punctuation; `undefined` for any other text. */
export function recognisePrompt(text: string): PromptName | undefined {
  const words = toWords(text);
  const names = Object.keys(PROMPTS) as PromptName[];
  return names.find((name) => toWords(PROMPTS[name]) === words);
}

function toWords(text: string): string {
  return (text.toLowerCase().match(/\p{Letter}+/gu) ?? []).join(" ");
}
