import { defineTool } from "holdpoint";

const MAX_LENGTH = 254;

export const collectEmail = defineTool({
  name: "collect_email",
  description: "Asks the person for their email address and returns it, once it is a usable one.",
  parameters: {
    type: "object",
    properties: { reason: { type: "string", description: "Why it is needed; shown to them." } },
    required: ["reason"],
  },
  handler: ({ reason }, context) =>
    context.requestInteraction({
      kind: "form",
      prompt: String(reason),
      presentation: "questionnaire",
      completedView: { summaryTemplate: "{{email}}" },
      inputSchema: {
        type: "object",
        properties: {
          email: { type: "string", title: "Email address", format: "email", maxLength: MAX_LENGTH },
          newsletter: { type: "boolean", title: "Send me the newsletter", default: false },
        },
        required: ["email"],
      },
      // The gateway has validated the form. Check here what only the tool can know.
      onResponse({ action, values }) {
        if (action !== "submit") return { complete: { status: "declined" } };
        const email = values.email.toLowerCase();
        if (email.endsWith("@example.com")) {
          return {
            reprompt: {
              error: "This address cannot receive mail.",
              fieldErrors: { email: "Use an address of your own." },
            },
          };
        }
        return {
          complete: { status: "collected", email, newsletter: values.newsletter ?? false },
        };
      },
      // The agent continues, and the answer reaches it as a message, even days later.
      onTimeout: () => ({ pending: { message: "They were asked, and have not answered yet." } }),
    }),
});
