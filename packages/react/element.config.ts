import { fileURLToPath } from "node:url";

import { defineConfig } from "vite";

import { thirdPartyNotices } from "../cli/third-party-notices.ts";

const fromHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The script of `<holdpoint-session>`, with all that it needs. */
export default defineConfig({
  root: fromHere("."),
  publicDir: false,
  define: { "process.env.NODE_ENV": `"production"` },
  plugins: [thirdPartyNotices()],
  resolve: {
    alias: {
      // As in the page: what it has for browsers needs `innerHTML`, which a page's policy may refuse.
      "decode-named-character-reference": fromHere(
        "../../node_modules/decode-named-character-reference/index.js",
      ),
    },
  },
  build: {
    emptyOutDir: true,
    // An older one would have `light-dark()` follow the page's styles, of which there are none in the element.
    target: "esnext",
    lib: {
      entry: fromHere("src/element/holdpoint-session.tsx"),
      formats: ["es"],
      fileName: () => "element.js",
    },
    rolldownOptions: { output: { chunkFileNames: "[name]-[hash].js" } },
  },
});
