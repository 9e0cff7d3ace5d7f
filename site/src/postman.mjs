// A Postman collection, v2.1: a folder for each tag, and variables for the address and the credentials.
import { exampleRequest } from "./requests.mjs";

/** @typedef {import("./api.mjs").Api} Api */
/** @typedef {import("./api.mjs").Operation} Operation */
/** @typedef {Record<string, unknown>} Json */

const SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

/** @param {Api} api @param {readonly { title: string, tags: Record<string, string> }[]} groups @returns {Json} */
export function postmanCollection(api, groups) {
  const { title, version } = api.document.info;
  return {
    info: {
      name: `${title} ${version}`,
      description:
        "Set base_url to the address of your instance, with /api/v2, and api_key to a key. Operations for people use session_token, the token of POST /auth/login.",
      schema: SCHEMA,
    },
    auth: { type: "apikey", apikey: [entry("key", "X-API-Key"), entry("value", "{{api_key}}"), entry("in", "header")] },
    variable: [entry("base_url", "http://localhost:3000/api/v2"), entry("api_key", ""), entry("session_token", "")],
    item: groups.flatMap(({ tags }) =>
      Object.entries(tags).map(([name, description]) => ({
        name,
        description,
        item: api.operations.filter(({ tag }) => tag === name).map((operation) => itemOf(api, operation)),
      })),
    ),
  };
}

/** @param {string} key @param {string} value */
const entry = (key, value) => ({ key, value, type: "string" });

/** @param {Api} api @param {Operation} operation */
function itemOf(api, operation) {
  const { method, path, summary, description, parameters, credential } = operation;
  const request = exampleRequest(api, operation);
  const wanted = new Map(request.query.map(({ name, value }) => [name, String(value)]));
  const query = parameters
    .filter((one) => one.in === "query")
    .map(({ name, description: about }) => ({
      key: name,
      value: wanted.get(name) ?? "",
      disabled: !wanted.has(name),
      ...(about !== undefined && { description: about }),
    }));
  const steps = path
    .slice(1)
    .replaceAll(/\{(\w+)\}/g, ":$1")
    .split("/");
  const asked = request.query.map(({ name, value }) => `${name}=${encodeURIComponent(String(value))}`).join("&");
  return {
    name: summary,
    request: {
      method,
      description,
      ...(credential === "none" && { auth: { type: "noauth" } }),
      ...(credential === "session" && { auth: { type: "bearer", bearer: [entry("token", "{{session_token}}")] } }),
      header: request.json === null ? [] : [{ key: "Content-Type", value: "application/json" }],
      url: {
        raw: `{{base_url}}/${steps.join("/")}${asked === "" ? "" : `?${asked}`}`,
        host: ["{{base_url}}"],
        path: steps,
        ...(query.length > 0 && { query }),
        ...(request.params.length > 0 && { variable: request.params.map(({ name, value }) => ({ key: name, value })) }),
      },
      ...bodyOf(request),
    },
  };
}

/** @param {import("./requests.mjs").Request} request */
function bodyOf({ json, form }) {
  if (json !== null) return { body: { mode: "raw", raw: JSON.stringify(json, null, 2), options: { raw: { language: "json" } } } };
  if (form === null) return {};
  const formdata = form.map(({ name, kind, value }) => {
    if (kind === "file") return { key: name, type: "file", src: [] };
    return { key: name, type: "text", value: kind === "json" ? JSON.stringify(value) : String(value) };
  });
  return { body: { mode: "formdata", formdata } };
}
