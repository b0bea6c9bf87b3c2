// Fixtures for the tests of several packages.
export { sampleImages } from "./sample-images.ts";
export { sampleInteraction } from "./sample-interaction.ts";
