// A tool that asks for secrets and is careless with them in every possible way.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

const sensitive = { type: "string", sensitive: true };

/** Waits until the test allows it to continue. */
async function waitFor(path, signal) {
  while (!existsSync(path)) await setTimeout(20, undefined, { signal });
}

const vault = {
  name: "vault",
  description: "Asks for four secrets.",
  parameters: {
    type: "object",
    properties: { way: { type: "string" }, released: { type: "string" } },
    required: ["way"],
  },
  async handler({ way, released }, { requestInteraction, log, signal }) {
    let rounds = 0;
    const values = await requestInteraction({
      kind: "form",
      prompt: "Four secrets, please.",
      ...(way === "late" && { timeoutMs: 300 }),
      inputSchema: {
        type: "object",
        properties: {
          key: sensitive,
          pin: sensitive,
          word: sensitive,
          note: sensitive,
          name: { type: "string" },
        },
        required: ["key", "pin", "word", "note"],
      },
      async onResponse({ values: given }) {
        log.warn(`They said ${JSON.stringify(given)}`);
        if (released) await waitFor(join(import.meta.dirname, released), signal);
        rounds += 1;
        if (way === "ask again" && rounds === 1) {
          return {
            reprompt: { error: `Not ${given.key}.`, fieldErrors: { pin: `Not ${given.pin}.` } },
          };
        }
        return { complete: given };
      },
    });
    if (way === "throw") throw new Error(`Cannot use ${values.key} and ${values.note}`);
    return values;
  },
};

export default { tools: [vault] };
