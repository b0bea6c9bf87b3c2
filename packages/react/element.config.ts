import { fileURLToPath } from "node:url";

import { defineConfig } from "vite";

import { thirdPartyNotices } from "../cli/third-party-notices.ts";

const fromHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The script of `<holdpoint-session>` with all of its dependencies. */
export default defineConfig({
  root: fromHere("."),
  publicDir: false,
  define: { "process.env.NODE_ENV": `"production"` },
  plugins: [thirdPartyNotices()],
  resolve: {
    alias: {
      // The browser build of this package uses `innerHTML`, which a page's policy may forbid.
      "decode-named-character-reference": fromHere(
        "../../node_modules/decode-named-character-reference/index.js",
      ),
    },
  },
  build: {
    emptyOutDir: true,
    // With an older target, `light-dark()` would depend on the page's styles, and the element has none of them.
    target: "esnext",
    lib: {
      entry: fromHere("src/element/holdpoint-session.tsx"),
      formats: ["es"],
      fileName: () => "element.js",
    },
    rolldownOptions: { output: { chunkFileNames: "[name]-[hash].js" } },
  },
});
