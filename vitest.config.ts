import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "client/src/**/*.test.ts",
      "evidence/src/**/*.test.ts",
      "pdf/src/**/*.test.ts",
      "server/src/**/*.test.ts",
      "server/test/**/*.test.ts",
    ],
    globalSetup: "server/test/global-setup.ts",
    pool: "threads",
    maxWorkers: 2,
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
