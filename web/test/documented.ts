import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compileScript, parse } from "vue/compiler-sfc";

/** The components of docs/embedding.md, which tests compile and run. */

const documentation = readFileSync(fileURLToPath(new URL("../../docs/embedding.md", import.meta.url)), "utf8");

/** The first block in this language. */
function blockOf(language: string): string {
  const [, code] = new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, "m").exec(documentation) ?? [];
  if (code === undefined) throw new Error(`docs/embedding.md has no block of ${language}`);
  return code;
}

export const documentedReact = (): string => blockOf("tsx");

/** As Vue's build tools compile it. */
export function documentedVue(): string {
  const { descriptor, errors } = parse(blockOf("vue"));
  if (errors.length > 0) throw errors[0];
  return compileScript(descriptor, { id: "documented", inlineTemplate: true }).content;
}
