// Colours for code, calculated at build time: the pages get elements with classes, and no script.
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import css from "highlight.js/lib/languages/css";
import go from "highlight.js/lib/languages/go";
import http from "highlight.js/lib/languages/http";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { escaped } from "./html.mjs";

const grammars = { bash, css, go, http, ini, java, javascript, json, php, python, sql, typescript, xml, yaml };
for (const [name, grammar] of Object.entries(grammars)) hljs.registerLanguage(name, grammar);

/** The names that fences use, with the name that readers see. @type {Record<string, readonly [grammar: string | null, shown: string]>} */
const LANGUAGES = {
  bash: ["bash", "Shell"],
  sh: ["bash", "Shell"],
  shell: ["bash", "Shell"],
  console: ["bash", "Shell"],
  curl: ["bash", "curl"],
  ts: ["typescript", "TypeScript"],
  typescript: ["typescript", "TypeScript"],
  tsx: ["typescript", "TypeScript"],
  js: ["javascript", "JavaScript"],
  javascript: ["javascript", "JavaScript"],
  mjs: ["javascript", "JavaScript"],
  python: ["python", "Python"],
  py: ["python", "Python"],
  go: ["go", "Go"],
  php: ["php", "PHP"],
  java: ["java", "Java"],
  json: ["json", "JSON"],
  html: ["xml", "HTML"],
  vue: ["xml", "Vue"],
  xml: ["xml", "XML"],
  css: ["css", "CSS"],
  http: ["http", "HTTP"],
  sql: ["sql", "SQL"],
  ini: ["ini", "Settings"],
  yaml: ["yaml", "YAML"],
  csv: [null, "CSV"],
  text: [null, "Text"],
  "": [null, "Text"],
};

/** @param {string} language as after the fence, or the name of a sample's language */
export function languageName(language) {
  return languageOf(language)[1];
}

/** Not text, whose lines have a width of their own. @param {string} language */
export const isCode = (language) => languageOf(language)[0] !== null;

/** @param {string} code @param {string} language @returns {string} HTML */
export function highlight(code, language) {
  const [grammar] = languageOf(language);
  if (grammar === null) return escaped(code);
  // The grammar would try each language on the body of each response.
  if (grammar === "http") return inParts(code);
  return inColours(code, grammar);
}

/** @param {string} code @param {string} grammar */
const inColours = (code, grammar) => hljs.highlight(code, { language: grammar, ignoreIllegals: true }).value;

/** Bodies are JSON, as everywhere in the API. @param {string} code of HTTP */
function inParts(code) {
  const end = code.indexOf("\n\n");
  if (end === -1) return inColours(code, "http");
  return `${inColours(code.slice(0, end), "http")}\n\n${inColours(code.slice(end + 2), "json")}`;
}

/** @param {string} language */
function languageOf(language) {
  const found = LANGUAGES[language];
  if (found === undefined)
    throw new Error(`The site does not know the language "${language}". site/src/highlight.mjs lists those it knows.`);
  return found;
}
