// What tests of several packages begin with.
export { sampleImages } from "./sample-images.ts";
export { sampleInteraction } from "./sample-interaction.ts";
