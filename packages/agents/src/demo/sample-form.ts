import type { DemoForm } from "./step.ts";

/** A form with every available control. */
export const SAMPLE_FORM: DemoForm = {
  schema: {
    type: "object",
    title: "Release party",
    description: "None of it is sent anywhere.",
    properties: {
      host: { type: "string", title: "Host", minLength: 2, maxLength: 60 },
      email: { type: "string", title: "Email", format: "email" },
      page: { type: "string", title: "Page about it", format: "uri" },
      day: { type: "string", title: "Day", format: "date" },
      begins: { type: "string", title: "Begins", format: "date-time" },
      guests: { type: "integer", title: "Guests", minimum: 1, maximum: 200 },
      budget: { type: "number", title: "Budget for each guest", minimum: 0 },
      place: {
        type: "string",
        title: "Place",
        oneOf: [
          { const: "office", title: "At the office" },
          { const: "park", title: "In the park" },
          { const: "remote", title: "By video" },
        ],
        control: "radio",
      },
      food: {
        type: "string",
        title: "Food",
        enum: ["Pizza", "Soup", "Cake", "Fruit", "Nothing"],
        control: "select",
      },
      music: {
        type: "array",
        title: "Music",
        items: { type: "string", enum: ["Jazz", "Folk", "Techno"] },
        maxItems: 2,
      },
      speech: { type: "boolean", title: "Someone gives a speech" },
      invitation: { type: "string", title: "Invitation", multiline: true, maxLength: 500 },
      door: {
        type: "string",
        title: "Door code",
        description: "Only the agent gets it: no log and no other device has it.",
        sensitive: true,
      },
    },
    required: ["host", "guests", "place"],
  },
  initialValues: { guests: 12, food: "Cake", invitation: "We have made it. Come and celebrate!" },
};

/** A form of two fields, for the tour. */
export const SHORT_FORM: DemoForm = {
  schema: {
    type: "object",
    title: "Announcement",
    properties: {
      channel: {
        type: "string",
        title: "Channel",
        enum: ["Blog", "Newsletter", "Nowhere"],
        control: "radio",
      },
      date: { type: "string", title: "Date", format: "date" },
    },
    required: ["channel"],
  },
};

/** Fields whose values the agent must not repeat. */
export const SECRET_FIELDS: readonly string[] = ["door"];
