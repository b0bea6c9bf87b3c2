import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["bench/**/*.test.ts", "packages/*/src/**/*.test.{ts,tsx}", "guides/**/*.test.ts"],
          testTimeout: 20_000,
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          include: ["e2e/**/*.test.ts", "packages/*/e2e/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          // Real browsers and processes on a shared machine: a second try tells a fault from a stall.
          retry: 1,
        },
      },
    ],
  },
});
