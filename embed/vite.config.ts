import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = fileURLToPath(new URL(".", import.meta.url));

export default defineConfig({
  root: here,
  publicDir: false,
  build: {
    outDir: "dist",
    // The type declarations are written to the same folder.
    emptyOutDir: false,
    target: ["chrome111", "firefox114", "safari16.4"],
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      // Not Vite's library mode, which does not remove white space from ES modules.
      input: `${here}src/index.ts`,
      preserveEntrySignatures: "strict",
      output: { format: "es", entryFileNames: "embed.js", codeSplitting: false },
    },
  },
});
