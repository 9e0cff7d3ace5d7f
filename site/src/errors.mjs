// One page for each code of docs/errors.md, and a page with all of them.
import { STATUS_CODES } from "node:http";
import { codeBlock, codeTabs } from "./code.mjs";
import { escaped } from "./html.mjs";
import { renderInline } from "./markdown.mjs";

/** @typedef {{ code: string, status: number, says: string, todo: string }} Problem */
/** @typedef {{ code: string, about: string }} Detail a code inside `details` */
/** @typedef {import("./api.mjs").Api} Api */
/** @typedef {Pick<import("./markdown.mjs").Site, "targetOf">} Links */

/** @param {string} source docs/errors.md @returns {{ problems: readonly Problem[], details: readonly Detail[] }} */
export function readErrors(source) {
  const rows = [...source.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, code = "", rest = ""]) => ({
    code,
    cells: rest.split(/(?<!\\) \| /),
  }));
  const problems = rows.flatMap(({ code, cells: [status = "", says = "", ...todo] }) =>
    /^\d{3}$/.test(status) ? [{ code, status: Number(status), says, todo: todo.join(" | ") }] : [],
  );
  const details = rows.flatMap(({ code, cells }) => (cells.length === 1 ? [{ code, about: cells[0] ?? "" }] : []));
  return { problems, details };
}

/** @param {Api} api @param {Problem} problem @param {Links} site */
export function problemPage(api, { code, status, says, todo }, site) {
  const operations = api.operationsByCode.get(code) ?? [];
  const links = operations.map(
    ({ address, method, path, summary }) =>
      `<li><a href="site:${address}">${escaped(summary)}</a> <code>${method} ${escaped(path)}</code></li>`,
  );
  const from =
    operations.length === 0
      ? `<p>${GENERAL[status] ?? "It is not an error of a single operation of the reference."}</p>`
      : `<ul class="answered">${links.join("")}</ul>`;
  const details = code === "rate_limited" ? "" : ', "details": [ … ]';
  const answer = `HTTP/1.1 ${status}\nX-Error-Code: ${code}\n\n{ "error": ${JSON.stringify(says)}${details} }`;
  return [
    `<p class="lead"><b class="status">${status}</b> ${escaped(says)}</p>`,
    `<h2 id="what-to-do"><a class="anchor" href="#what-to-do">What to do</a></h2><p>${renderInline(todo, site)}</p>`,
    `<h2 id="response"><a class="anchor" href="#response">The response</a></h2>${codeBlock(answer, "http", "Response", { wraps: true })}`,
    `<p>Read the code in your program: sentences can change. <a href="site:errors#details">Details</a> describes the rest of the body.</p>`,
    `<h2 id="in-your-program"><a class="anchor" href="#in-your-program">In your program</a></h2>${codeTabs("handling", `Handle ${code}`, handlingOf(code))}`,
    `<h2 id="returned-by"><a class="anchor" href="#returned-by">Returned by</a></h2>${from}`,
  ].join("\n");
}

/** Of codes that no operation names as its own. @type {Record<number, string>} */
const GENERAL = {
  400: "Any operation whose request cannot be read.",
  401: "Any operation that needs this credential.",
  403: "Any operation that the credential does not allow.",
  404: "Any path or record that does not exist.",
  422: "Any operation with a value that is not allowed.",
  429: "Any operation.",
  500: "Any operation.",
  503: "Any operation.",
};

/** @param {string} code @returns {readonly import("./code.mjs").Variant[]} */
function handlingOf(code) {
  return [
    {
      language: "typescript",
      code: `import { isCode } from "@countersign/client";\n\ntry {\n  // …\n} catch (error) {\n  if (!isCode(error, "${code}")) throw error;\n  // …\n}`,
    },
    {
      language: "python",
      code: `from countersign import CountersignError\n\ntry:\n    ...\nexcept CountersignError as error:\n    if error.code != "${code}":\n        raise\n    ...`,
    },
  ];
}

/** @param {Detail} detail @param {Links} site */
export function detailPage({ about }, site) {
  return [
    `<p class="lead">${renderInline(about, site)}</p>`,
    `<p>A code of an entry of <code>details</code>, beside the <code>location</code> and the <code>field</code> that it is about. The error as a whole has its own code, in <code>X-Error-Code</code>. See <a href="site:errors#details">Details</a>.</p>`,
  ].join("\n");
}

/** docs/errors.md without its first table, which the page has by status. @param {string} source */
export function withoutTable(source) {
  return source.replace(/^\| `X-Error-Code` [\s\S]*?\n\n/m, "");
}

/** @param {readonly Problem[]} problems */
export function statusesOf(problems) {
  return [...new Set(problems.map(({ status }) => status))].sort();
}

/** Every code by status. @param {readonly Problem[]} problems */
export function problemTables(problems) {
  const statuses = statusesOf(problems);
  const tables = statuses.map((status) => {
    const rows = problems
      .filter((one) => one.status === status)
      .map(
        ({ code, says }) =>
          `<tr><td data-label="Code"><a href="site:errors/${code}"><code>${code}</code></a></td><td data-label="Message">${escaped(says)}</td></tr>`,
      );
    const head = '<thead><tr><th scope="col">Code</th><th scope="col">Message</th></tr></thead>';
    return `<h2 id="status-${status}"><a class="anchor" href="#status-${status}">${status} ${nameOfStatus(status)}</a></h2><table>${head}<tbody>${rows.join("")}</tbody></table>`;
  });
  return tables.join("\n");
}

/** @param {number} status */
export function nameOfStatus(status) {
  return STATUS_CODES[status] ?? "";
}
