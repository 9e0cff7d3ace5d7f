// The site for programs that read: an index with a line for each page, and everything in one file.

/** @typedef {import("./api.mjs").Api} Api */
/** @typedef {{ path: string, title: string, about: string, markdown: string }} Text */

/** @param {readonly { title: string, texts: readonly Text[] }[]} groups addresses are relative to the file */
export function llmsIndex(groups) {
  const lists = groups.map(({ title, texts }) => {
    const lines = texts.map(({ path, title: name, about }) => `- [${name}](${path}): ${firstSentence(about)}`);
    return `## ${title}\n\n${lines.join("\n")}\n`;
  });
  return `# Countersign

> Self-hosted electronic signatures with a compliance vault: an HTTP API, pages for signers that can be embedded, signed webhooks, and evidence that can be verified offline. API keys go into the header \`X-API-Key\`; responses have their payload under \`data\`; every error has the header \`X-Error-Code\`.

- [llms-full.txt](llms-full.txt): every page below in one file
- [openapi.json](openapi.json): the API as OpenAPI 3.1
- [postman.json](postman.json): a Postman collection

${lists.join("\n")}`;
}

/** @param {readonly { title: string, texts: readonly Text[] }[]} groups */
export function llmsFull(groups) {
  const texts = groups.flatMap(({ texts: inner }) => inner.map(({ markdown }) => markdown.trim()));
  return `${texts.join("\n\n---\n\n")}\n`;
}

/** One that a list follows ends before the list. @param {string} text */
function firstSentence(text) {
  return (/^.*?[.:!?](?=\s|$)/s.exec(text)?.[0] ?? text).replace(/:$/, ".");
}

/** A reference page as Markdown: what an operation needs and returns, without every field of every object. @param {Api} api @param {string} tag @param {string} about @param {(operation: import("./api.mjs").Operation) => readonly import("./code.mjs").Variant[]} requestsOf */
export function referenceMarkdown(api, tag, about, requestsOf) {
  const operations = api.operations.filter((one) => one.tag === tag);
  const sections = operations.map((operation) => {
    const { summary, method, path, description, credential, raw, parameters, read } = operation;
    const access = {
      none: "no credential",
      session: "a session",
      key: `an API key with ${(raw["x-any-scope"] ?? []).join(" or ")}, or a session`,
    }[credential];
    const given = parameters.filter((one) => one.in === "query").map(({ name, required }) => `\`${name}\`${required ? " (required)" : ""}`);
    const codes = Object.entries(raw["x-error-codes"] ?? {}).map(
      ([status, names]) => `${status} ${/** @type {string[]} */ (names).join(", ")}`,
    );
    const [curl] = requestsOf(operation);
    return [
      `## ${summary}`,
      `\`${method} /api/v2${path}\` · \`${read.sdk}\` · ${access}`,
      description,
      ...(given.length === 0 ? [] : [`Query: ${given.join(", ")}`]),
      ...fieldLines(api, operation),
      ...(codes.length === 0 ? [] : [`Errors: ${codes.join("; ")}`]),
      `\`\`\`sh\n${curl?.code}\n\`\`\``,
    ].join("\n\n");
  });
  return `# ${tag}\n\n${about}\n\n${sections.join("\n\n")}\n`;
}

/** @param {Api} api @param {import("./api.mjs").Operation} operation */
function fieldLines(api, { raw }) {
  const content = api.resolve(raw.requestBody ?? {}).content ?? {};
  return Object.entries(content).map(([type, { schema }]) => {
    const { properties = {}, required = [] } = api.resolve(schema);
    const names = Object.keys(properties).map((name) => `\`${name}\`${required.includes(name) ? " (required)" : ""}`);
    return `${type === "application/json" ? "Body" : "Form"}: ${names.length === 0 ? "an empty object" : names.join(", ")}`;
  });
}
