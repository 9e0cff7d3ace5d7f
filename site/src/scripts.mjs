// The scripts of the pages, from TypeScript to one file each.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const assets = fileURLToPath(new URL("../assets/", import.meta.url));

/** @returns {Promise<{ site: string, search: string }>} */
export async function bundleScripts() {
  // Vite's bundler, which is installed with it.
  const { rolldown } = await import("rolldown");
  const build = async (/** @type {string} */ name, /** @type {"iife" | "es"} */ format, banner = "") => {
    const bundle = await rolldown({ input: `${assets}${name}.ts`, platform: "browser" });
    const { output } = await bundle.generate({ format, minify: true });
    await bundle.close();
    return `${banner}${output[0].code}`;
  };
  const [site, search] = await Promise.all([build("site", "iife"), build("search", "es", licenceOf("minisearch"))]);
  return { site, search };
}

/** Its licence goes wherever its code goes. @param {string} name */
function licenceOf(name) {
  const entry = createRequire(import.meta.url).resolve(name);
  const folder = entry.slice(0, entry.lastIndexOf(`/node_modules/${name}/`) + `/node_modules/${name}`.length);
  return `/*!\n${name}\n\n${readFileSync(`${folder}/LICENSE.txt`, "utf8").trim()}\n*/\n`;
}
