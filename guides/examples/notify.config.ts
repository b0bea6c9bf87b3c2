import { defineConfig } from "holdpoint";

const secret = process.env["WEBHOOK_SECRET"] ?? "";

export default defineConfig({
  notify: { webhooks: [{ url: "http://127.0.0.1:8080/", secret, about: "all" }] },
});
