import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = fileURLToPath(new URL(".", import.meta.url));

export default defineConfig({
  root: here,
  publicDir: false,
  build: {
    outDir: "dist",
    // The types of the package are made beside it.
    emptyOutDir: false,
    target: ["chrome111", "firefox114", "safari16.4"],
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      // Not Vite's library mode, which leaves the white space of a module as it is.
      input: `${here}src/index.ts`,
      preserveEntrySignatures: "strict",
      output: { format: "es", entryFileNames: "embed.js", codeSplitting: false },
    },
  },
});
