import { defineTool, type Tool } from "holdpoint";
import { z } from "zod";

type Publish = (title: string, places: readonly string[]) => Promise<void>;

/** Two questions, then the work: run again after a crash it asks neither twice, and publishes once. */
export function createPublishPost(publish: Publish): Tool {
  return defineTool({
    name: "publish_post",
    description: "Publishes a post where the person wants it.",
    parameters: z.object({ title: z.string() }),
    async handler({ title }, { requestInteraction }) {
      const { answers } = await requestInteraction({
        kind: "question",
        questions: [
          {
            question: `Where shall “${title}” appear?`,
            header: "Place",
            multiSelect: true,
            options: [
              { id: "blog", label: "Blog" },
              { id: "mail", label: "Newsletter", description: "4,000 readers" },
            ],
          },
        ],
      });
      const places = answers?.[0]?.selected ?? [];
      if (places.length === 0) return { published: false };

      const input = { title, places };
      const { action } = await requestInteraction({ kind: "approval", prompt: "Publish?", input });
      if (action !== "approve") return { published: false };
      await publish(title, places);
      return { published: true, places };
    },
  });
}
