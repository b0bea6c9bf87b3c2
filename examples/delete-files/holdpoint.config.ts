import { defineConfig } from "holdpoint";

/** The tool itself is in the folder `tools`: every file in there is loaded. */
export default defineConfig({});
