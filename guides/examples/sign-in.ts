import { defineTool, ToolError, type Tool } from "holdpoint";

type Login = (user: string, password: string) => Promise<boolean>;

/** Signs in with the person's password. The agent learns whether it worked, but never the password. */
export function createSignIn(login: Login): Tool {
  return defineTool({
    name: "sign_in",
    description: "Lets the person sign in to the shop.",
    async handler(_args, { log, requestInteraction }) {
      try {
        return await requestInteraction({
          kind: "form",
          prompt: "Sign in to the shop",
          inputSchema: {
            type: "form",
            fields: [
              { id: "user", type: "text", label: "User", required: true },
              { id: "password", type: "text", label: "Password", required: true, sensitive: true },
            ],
          },
          timeoutMs: 120_000,
          whenUnavailable: "refuse",
          onDisconnect: "deny",
          async onResponse({ action, values }) {
            if (action !== "submit") return { complete: { signedIn: false } };
            const isIn = await login(values.user, values.password);
            return isIn
              ? { complete: { signedIn: true } }
              : { reprompt: { error: "The shop does not know this user and password." } };
          },
          onTimeout: () => ({ complete: { signedIn: false, reason: "Nobody did so in time." } }),
          onCancel: () => log.info("The sign-in was cancelled."),
        });
      } catch (error) {
        if (!ToolError.isInstance(error) || error.code !== "INTERACTION_UNAVAILABLE") throw error;
        return { signedIn: false, reason: "Nobody is there to sign in." };
      }
    },
  });
}
