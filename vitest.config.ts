import { existsSync } from "node:fs";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { bundleFolder } from "./server/bin/bundle.js";

// As in testing/all.ts, which only tests can import.
const ALL = process.env.TEST_ALL !== "false";

// Started last, one of these would run alone while the other workers have nothing left to do. Those that calculate alternate with those that
// wait for programs.
const LONGEST = [
  "scripts/samples/samples.all.test.ts",
  "web/test/console-hostile.all.test.ts",
  "verify/src/witness/forks.all.test.ts",
  "server/test/start.test.ts",
  "web/test/screens.all.test.ts",
  "server/test/cli.all.test.ts",
  "server/test/request-cost.test.ts",
  "server/src/db/embedded.all.test.ts",
  "server/test/lasting-evidence.all.test.ts",
  "server/src/backup/backup.all.test.ts",
  "server/src/db/logins.all.test.ts",
  "server/src/customers/bulk.test.ts",
  "server/test/client-package.all.test.ts",
  "pdf/src/pool.test.ts",
  "server/test/processes.all.test.ts",
  "web/test/party.test.ts",
  "server/test/endpoints.test.ts",
  "server/src/vault/evaluate-record.test.ts",
  "server/src/vault/links/faults.test.ts",
  "server/src/vault/acts/acts.test.ts",
  "server/src/vault/links/move.test.ts",
  "server/src/vault/links/recover.test.ts",
  "server/src/vault/fingerprints/fingerprints.test.ts",
  "server/src/vault/batches/batches.test.ts",
  "server/src/vault/acts/races.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const first = LONGEST.flatMap((name) => sorted.filter(({ moduleId }) => moduleId.endsWith(`/${name}`)));
    return [...first, ...sorted.filter((file) => !first.includes(file))];
  }
}

/** Files that start threads, and their places in the bundle; as in scripts/bundle.mjs. */
const THREAD_STARTERS = [
  { file: /\/pdf\/(?:src|dist)\/pool\/pool-worker\.[jt]s$/, place: "pool/pool-worker.js" },
  { file: /\/server\/(?:src|dist)\/proofs\/pool\.[jt]s$/, place: "proofs/pool.js" },
  { file: /\/server\/(?:src|dist)\/vault\/links\/verify-in-thread\.[jt]s$/, place: "links/verify-in-thread.js" },
];

/** Threads run the bundle, as in production, because it starts in half the time. Without one of this code, they run the compiled files. */
function bundledThreads(): Plugin {
  const folder = bundleFolder();
  const bundle = folder !== null && existsSync(folder) ? folder : null;
  return {
    name: "bundled-threads",
    // The bundle can change while these files stay the same.
    configureVitest: ({ experimental_defineCacheKeyGenerator }) =>
      experimental_defineCacheKeyGenerator(({ id }) => (THREAD_STARTERS.some(({ file }) => file.test(id)) ? false : null)),
    transform(code, id) {
      const starter = THREAD_STARTERS.find(({ file }) => file.test(id));
      if (bundle === null || starter === undefined) return null;
      return code.replaceAll("import.meta.url", JSON.stringify(new URL(starter.place, bundle).href));
    },
  };
}

export default defineConfig({
  plugins: [bundledThreads()],
  test: {
    include: [
      "client/src/**/*.test.ts",
      "csv/src/**/*.test.ts",
      "{embed,embed-react,embed-vue}/src/**/*.test.ts",
      "evidence/src/**/*.test.ts",
      "fields/src/**/*.test.ts",
      "fuzz/*.test.ts",
      "mcp/src/**/*.test.ts",
      "pdf/src/**/*.test.ts",
      "scripts/**/*.test.ts",
      "site/test/**/*.test.ts",
      "server/src/**/*.test.ts",
      "server/test/**/*.test.ts",
      "verify/{page,src}/**/*.test.ts",
      "web/**/*.test.ts",
    ],
    exclude: ["**/node_modules/**", ...(ALL ? [] : ["**/*.all.test.ts"])],
    globalSetup: ["server/test/global-setup.ts", "web/test/global-setup.ts"],
    setupFiles: ["web/test/storage.ts"],
    // Sources that did not change are not transformed again by the next run.
    experimental: { fsModuleCache: true, fsModuleCachePath: "node_modules/.cache/vitest-modules" },
    pool: "threads",
    // One more than a small machine has processors, because tests also wait: for the clock, the browser or a program. A fourth worker
    // would need a tenth more CPU time. VITEST_MAX_WORKERS overrides this.
    maxWorkers: 3,
    isolate: false,
    sequence: { sequencer: LongestFirst },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
