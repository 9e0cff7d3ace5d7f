// Samples of a flow in several languages: the files of docs/samples/<flow>/, one for each language, told apart by their endings.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";

/** @type {Record<string, Record<string, string>>} */
const ENDINGS = {
  curl: { ".sh": "curl" },
  typescript: { ".ts": "TypeScript", ".mjs": "JavaScript" },
  python: { ".py": "Python" },
  go: { ".go": "Go" },
  php: { ".php": "PHP" },
  java: { ".java": "Java" },
};
const LANGUAGES = Object.keys(ENDINGS);

/**
 * @param {string} folder with a slash at its end @param {string} flow
 * @param {readonly string[]} languages in the order of the tabs; none: all of them
 * @returns {readonly import("./code.mjs").Variant[]}
 */
export function samplesOf(folder, flow, languages) {
  const unknown = languages.find((one) => !LANGUAGES.includes(one));
  if (unknown !== undefined) throw new Error(`{{sample ${flow}}} names "${unknown}", which is none of ${LANGUAGES.join(", ")}.`);
  const wanted = languages.length === 0 ? LANGUAGES : languages;
  const names = existsSync(folder + flow) ? readdirSync(folder + flow) : [];
  return wanted.map((language) => {
    const endings = ENDINGS[language] ?? {};
    const [name, ...others] = names.filter((one) => endings[extname(one)] !== undefined);
    if (name === undefined)
      throw new Error(`{{sample ${flow}}}: docs/samples/${flow}/ has no file for ${language} (${Object.keys(endings).join(" or ")}).`);
    if (others.length > 0) throw new Error(`{{sample ${flow}}}: docs/samples/${flow}/ has several files for ${language}.`);
    return { language, label: endings[extname(name)] ?? "", code: readFileSync(`${folder}${flow}/${name}`, "utf8") };
  });
}
