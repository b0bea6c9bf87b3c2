import { isSensitiveField, type Form } from "@holdpoint/protocol";
import { Plug, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

import { VisibleText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";

/** Names the MCP server that asks, and warns if it asks for a secret. */
export function AskingServer({ form }: { readonly form: Form }): ReactNode {
  const say = useWords();
  if (form.server === undefined) return null;
  const asksForSecret = Object.values(form.schema.properties).some(isSensitiveField);
  return (
    <>
      <p className="hp-asking-server">
        <Plug aria-hidden />
        <span>
          {say.rich("This request comes from the MCP server {server}, not the agent.", {
            server: (
              <strong>
                <VisibleText text={form.server.name} exact short />
              </strong>
            ),
          })}
        </span>
      </p>
      {asksForSecret && (
        <p className="hp-visit-warning">
          <TriangleAlert aria-hidden />
          {say("It asks for a secret in a form. MCP servers must not do that. Be careful.")}
        </p>
      )}
    </>
  );
}

/** Explains the meaning of the buttons to the server. */
export function ServerAnswers({ form }: { readonly form: Form }): ReactNode {
  const say = useWords();
  if (form.server === undefined) return null;
  return (
    <p className="hp-hint">
      {form.visit !== undefined && (
        <>{say("Open the page yourself and press Done when you have finished there.")} </>
      )}
      {say("Decline refuses the server's request. Cancel leaves it undecided.")}
    </p>
  );
}
