import { appendFile } from "node:fs/promises";
import { join } from "node:path";

import { defineTool } from "holdpoint";
import { z } from "zod";

export default defineTool({
  name: "send_invoice",
  description: "Sends an invoice, once a person has approved it.",
  parameters: z.object({ customer: z.string(), cents: z.int().positive() }),
  async handler(invoice, { cwd, requestInteraction }) {
    const { action, input, reason } = await requestInteraction({
      kind: "approval",
      prompt: `Send an invoice to ${invoice.customer}?`,
      approvalScopes: ["once"],
    });
    if (action !== "approve") return { sent: false, reason };
    await appendFile(join(cwd, "outbox.jsonl"), `${JSON.stringify(input)}\n`);
    return { sent: true, invoice: input };
  },
});
