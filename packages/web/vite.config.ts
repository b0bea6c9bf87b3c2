import { fileURLToPath } from "node:url";

import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The page is served from the gateway's own origin, under a policy that allows no inline script or style. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [react()],
  resolve: {
    alias: {
      // What it has for browsers reads entities by `innerHTML`, which the page's policy refuses.
      "decode-named-character-reference": fileURLToPath(
        new URL("../../node_modules/decode-named-character-reference/index.js", import.meta.url),
      ),
    },
  },
  build: {
    // The first of each with `light-dark()`, which the palette is made of: older ones would get both themes at once.
    target: ["chrome123", "safari17.5", "firefox120"],
    manifest: true,
    // All of them know `modulepreload`.
    modulePreload: { polyfill: false },
    // Inlined assets would be `data:` URLs, which the policy refuses for everything but images.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
});
