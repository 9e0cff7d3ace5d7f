// The sheet of `npm run screenshots`: one row per screen, with its pictures on both devices, light and dark, and those of the design.
import { pathToFileURL } from "node:url";

/** The screen that each picture of the design shows, by the beginning of the picture's name. The longest beginning counts. */
const DESIGNED = {
  "01-home": "console-home-02-home",
  "02-envelopes": "console-21-envelopes",
  "03-envelope": "console-22-envelope",
  "04-prepare": "console-35-review",
  "05-builder": "console-32-template",
  "06-vault": "console-53-vault-checks",
  "07-settings": "console-74-members",
  "08-sign-desktop": "06-fields",
  "09-sign-phone-1": "01-consent",
  "09-sign-phone-2": "07-field-text",
  "09-sign-phone-3": "18-adopt-type",
  "09-sign-phone-4": "15-adopt-draw",
  "09-sign-phone-5": "19-review",
  "09-sign-phone-6": "26-signed-all",
  "11-login": "console-01-log-in",
  "11-set-up": "console-02-set-up",
  "11-welcome": "console-home-01-welcome",
};

/**
 * @typedef {{ readonly desktop: readonly string[], readonly phone: readonly string[] }} Taken
 * @typedef {{ readonly folder: string, readonly files: readonly string[] }} Design
 */

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** @param {string} href @param {string} words */
const figure = (href, words) =>
  `<figure><a href="${escaped(href)}"><img src="${escaped(href)}" alt="" loading="lazy"></a><figcaption>${escaped(words)}</figcaption></figure>`;

/** The screen of a picture of the design, or null. @param {string} file */
function screenOf(file) {
  const [known] = Object.keys(DESIGNED)
    .filter((beginning) => file.startsWith(beginning))
    .sort((a, b) => b.length - a.length);
  return known === undefined ? null : DESIGNED[/** @type {keyof typeof DESIGNED} */ (known)];
}

/** @param {Taken} taken @param {Design | null} design */
export function sheetOf(taken, design) {
  const nameOf = (/** @type {string} */ file) => file.replace(/(-dark)?\.png$/, "");
  const names = [...new Set([...taken.desktop, ...taken.phone].map(nameOf))].sort();
  const designed = (/** @type {string | null} */ name) => {
    const files = design?.files.filter((file) => screenOf(file) === name) ?? [];
    return files.map((file) => figure(pathToFileURL(`${design?.folder}/${file}`).href, `design: ${file}`));
  };
  const row = (/** @type {string} */ name) => {
    const own = (/** @type {"desktop" | "phone"} */ device) =>
      [`${name}.png`, `${name}-dark.png`]
        .filter((file) => taken[device].includes(file))
        .map((file) => figure(`${device}/${file}`, `${device}${file.endsWith("-dark.png") ? ", dark" : ""}`));
    return `<h2>${escaped(name)}</h2><div>${[...designed(name), ...own("desktop"), ...own("phone")].join("")}</div>`;
  };
  const others = designed(null);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Screens</title>
<style>body{font:14px sans-serif;margin:2rem}h2{font-size:1rem}div{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0}img{height:22rem;border:1px solid #999}</style>
<h1>${names.length} screens</h1>${names.map(row).join("\n")}
${others.length === 0 ? "" : `<h2>Design of other things</h2><div>${others.join("")}</div>`}</html>\n`;
}
