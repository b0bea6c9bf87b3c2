import { defineTool } from "holdpoint";
import { z } from "zod";

const toOptions = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

const CHANNELS = { stable: "Stable", beta: "Beta", nightly: "Nightly" };
const PLATFORMS = { linux: "Linux", macos: "macOS", windows: "Windows" };
// More than five choices are a list to open.
const REGIONS = {
  africa: "Africa",
  asia: "Asia",
  europe: "Europe",
  "north-america": "North America",
  oceania: "Oceania",
  "south-america": "South America",
};

/** A questionnaire with a field of every sort. There is no other work: what the person says is the result. */
export const planRelease = defineTool({
  name: "plan_release",
  description: "Asks the person how the next release shall be done, and returns their plan.",
  parameters: z.object({ version: z.string().describe("The version that you propose.") }),
  readOnly: true,
  handler: ({ version }, { requestInteraction }) =>
    requestInteraction({
      kind: "form",
      presentation: "questionnaire",
      prompt: "How shall the next release be done?",
      inputSchema: {
        type: "form",
        fields: [
          { id: "version", type: "text", label: "Version", required: true, defaultValue: version },
          {
            id: "channel",
            type: "radio",
            label: "Channel",
            required: true,
            options: toOptions(CHANNELS),
          },
          {
            id: "platforms",
            type: "checkbox",
            label: "Platforms",
            required: true,
            options: toOptions(PLATFORMS),
          },
          { id: "region", type: "select", label: "First region", options: toOptions(REGIONS) },
          { id: "day", type: "date", label: "Day", required: true },
          {
            id: "share",
            type: "number",
            label: "Share of customers",
            description: "In percent",
            defaultValue: 100,
          },
          { id: "announce", type: "checkbox", label: "Announce it on the blog" },
          { id: "notes", type: "textarea", label: "Anything else?" },
        ],
      },
      completedView: {
        summaryTemplate: "{{version}} to {{channel}} on {{day}}, for {{platforms}}",
        showInputs: true,
      },
      onResponse: ({ action, values, reason }) => ({
        complete:
          action === "submit" ? { status: "planned", ...values } : { status: "declined", reason },
      }),
    }),
});
