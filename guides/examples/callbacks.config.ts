import { defineConfig } from "holdpoint";

const secret = process.env["CALLBACK_SECRET"] ?? "";

export default defineConfig({
  asks: { callbacks: [{ host: "ci.example.org", secret }] },
});
