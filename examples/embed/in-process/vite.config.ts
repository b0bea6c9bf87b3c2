import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [react()],
  // The first of each with `light-dark()`, which the cards are coloured with.
  build: { target: ["chrome123", "safari17.5", "firefox120"] },
  server: { host: "127.0.0.1", port: 5174, strictPort: true },
});
