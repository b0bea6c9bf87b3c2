// What tests of several packages begin with.
export { sampleInteraction } from "./sample-interaction.ts";
