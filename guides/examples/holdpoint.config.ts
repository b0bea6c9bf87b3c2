import { defineConfig } from "holdpoint";

/** What is in the folder `tools` is loaded by itself. */
export default defineConfig({});
