// Blocks of code, alone and as tabs.
import { highlight, isCode, languageName } from "./highlight.mjs";
import { escaped } from "./html.mjs";

/** @typedef {{ language: string, code: string, label?: string }} Variant label: where it is not the name of the language */
/** @typedef {{ wraps?: boolean }} Look wraps: long lines wrap instead of scrolling */

/** @param {string} code @param {string} language @param {string} [label] what it is, where the language does not say it @param {Look} [look] */
export function codeBlock(code, language, label = languageName(language), look = {}) {
  return `<div class="code"><div class="code-head"><span>${escaped(label)}</span></div>${codeLines(code, language, look)}</div>`;
}

/**
 * `tabindex`, so that the keyboard can scroll long lines. On a phone, code wraps too; text, such as a table of a program's output, does not.
 * @param {string} code @param {string} language @param {Look} look
 */
function codeLines(code, language, { wraps = false }) {
  const look = wraps ? ' class="wraps"' : isCode(language) ? ' tabindex="0"' : ' class="as-is" tabindex="0"';
  return `<pre${look}><code>${highlight(code.replace(/\n+$/, ""), language)}</code></pre>`;
}

/**
 * The same code in several languages. Radio buttons choose one, which needs no script.
 * @param {string} name unique on its page @param {string} about what the code does, for screen readers
 * @param {readonly Variant[]} variants @param {Look} [look]
 */
export function codeTabs(name, about, variants, look = {}) {
  const inputs = variants.map(({ language, label = languageName(language) }, index) => {
    const id = `${name}-${language}`;
    const checked = index === 0 ? " checked" : "";
    return `<input type="radio" name="${name}" id="${id}" value="${language}"${checked}><label for="${id}">${escaped(label)}</label>`;
  });
  const panels = variants.map(({ language, code }) => `<div class="panel">${codeLines(code, language, look)}</div>`);
  const legend = `<legend class="hidden-visually">${escaped(about)}: language</legend>`;
  return `<fieldset class="code tabs">${legend}${inputs.join("")}${panels.join("")}</fieldset>`;
}
