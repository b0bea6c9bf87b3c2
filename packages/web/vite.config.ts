import { fileURLToPath } from "node:url";

import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** The styles of code that is loaded later. Modules of `react` do not import them, since embedders load one file. */
const LATER_STYLES: Readonly<Record<string, readonly string[]>> = {
  "/react/src/cards/cards.ts": [
    "card-parts.css",
    "inputs.css",
    "approval.css",
    "past-cards.css",
    "fields.css",
    "forms.css",
    "diff.css",
  ],
  "/react/src/conversation/conversation-parts.ts": [
    "notes.css",
    "jumps.css",
    "conversation-parts.css",
    "attachments.css",
  ],
  "/react/src/parts/markdown-renderer.tsx": ["markdown.css"],
};

/** Small parts used by several pages. Excludes icons that only cards and opened tool calls use. */
const SHARED =
  /lucide-react(?!.*\/icons\/(?:external-link|file-text|folder-open|pencil|plug|wrench)\.)|\/(?:relative-time|agent-name|use-listed-session|use-draft|markdown|markdown-source|form-field|use-agents|keyboard|draft-attachments|tool-facts|tool-words)\.tsx?$/u;

/** The page is served from the gateway's own origin, under a policy without inline scripts or styles. */
export default defineConfig({
  // Relative, since the gateway determines the path of its files.
  base: "./",
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [react(), laterStyles(), ownIcons()],
  resolve: {
    alias: {
      // The browser build of this package uses `innerHTML`, which the page's policy forbids.
      "decode-named-character-reference": fileURLToPath(
        new URL("../../node_modules/decode-named-character-reference/index.js", import.meta.url),
      ),
    },
  },
  build: {
    // The first versions with everything that `public/old-browser.js` checks for.
    target: ["chrome123", "safari17.5", "firefox124"],
    manifest: true,
    modulePreload: {
      // All of these browsers support `modulepreload`.
      polyfill: false,
      // Code for the first page is loaded at once. Other code is loaded ahead of its use, so its order does not matter.
      resolveDependencies: (file, dependencies, { hostType }) =>
        hostType === "html" || file.includes("/shell-") ? dependencies : [],
    },
    // Inlined assets would be `data:` URLs, which the policy allows only for images.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      // In this code, reading a property or a global has no side effects.
      treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
      output: {
        codeSplitting: {
          groups: [
            // One file with the code that every page loads; chunks loaded later take nothing out of it.
            { name: "first", tags: ["$initial"] },
            // One file with the code shared by the session page and later ones: one file per icon would be larger.
            { name: "shared", test: SHARED, minShareCount: 2 },
            // Loaded ahead of its use. One file per module would mean a hundred requests.
            { name: "shell", test: /\/web\/src\/shell\/shell\.tsx$/u },
            { name: "cards", test: /\/react\/src\/cards\/cards\.ts$/u },
            { name: "conversation", test: /\/conversation\/conversation-parts\.ts$/u },
            { name: "german", test: /\/words\/german/u },
            { name: "launch", test: /\/launch\/launch-parts\.ts$/u },
            { name: "pages", test: /\/web\/src\/shell\/pages\.ts$/u },
          ],
        },
      },
    },
  },
});

/** Loads each of the later styles together with its code. */
function laterStyles(): Plugin {
  return {
    name: "holdpoint-later-styles",
    enforce: "pre",
    transform(code, id) {
      const styles = Object.entries(LATER_STYLES).find(([module]) => id.endsWith(module))?.[1];
      const imports = styles?.map((style) => `import "@holdpoint/react/styles/${style}";`);
      return imports && { code: `${imports.join("")}${code}`, map: null };
    },
  };
}

/** Draws icons with a few lines of the page's own code instead of the icon library's. */
function ownIcons(): Plugin {
  const own = fileURLToPath(new URL("src/icon.ts", import.meta.url));
  return {
    name: "holdpoint-own-icons",
    enforce: "pre",
    load: (id) =>
      id.endsWith("/lucide-react/dist/esm/createLucideIcon.mjs")
        ? `export { createIcon as default } from ${JSON.stringify(own)};`
        : undefined,
  };
}
