// The fields of a schema as a table. The fields of objects inside are folded in their row.
import { escaped } from "./html.mjs";
import { renderInline } from "./markdown.mjs";

/** @typedef {Record<string, any>} Json */
/**
 * @typedef {object} Context
 * @property {(value: any) => any} resolve
 * @property {Pick<import("./markdown.mjs").Site, "targetOf">} site
 * @property {ReadonlyMap<string, string>} shown where the page has the fields of a component, by its name
 */
/** @typedef {{ label: string, notes: string[], inner: Inner[] }} Described label and notes are HTML */
/** @typedef {{ title: string, schema: Json }} Inner */

const MAX_INLINE_VALUES = 12;

/** @param {Json} schema of an object @param {Context} context @param {readonly string[]} [within] the components that the table is inside of @returns {string} */
export function fieldsTable(schema, context, within = []) {
  const { properties = {}, required = [] } = schema;
  const rows = Object.entries(properties).map(([name, field]) =>
    row({ name, field, isRequired: required.includes(name) }, context, within),
  );
  return `<table class="fields"><tbody>${rows.join("")}</tbody></table>`;
}

/** Parameters of a path, a query or headers. @param {readonly Json[]} parameters @param {Context} context */
export function parametersTable(parameters, context) {
  const rows = parameters.map(({ name, schema, required, description, in: place }) => {
    const field = description === undefined ? schema : { ...schema, description };
    return row({ name, field, isRequired: required === true && place !== "path" }, context, []);
  });
  return `<table class="fields"><tbody>${rows.join("")}</tbody></table>`;
}

/** @param {{ name: string, field: Json, isRequired: boolean }} given @param {Context} context @param {readonly string[]} within @returns {string} */
function row({ name, field, isRequired }, context, within) {
  const { label, notes, inner } = describe(field, context);
  const description = field.description ?? descriptionOf(field, context);
  const needed = isRequired ? ' <b class="required">required</b>' : "";
  const deprecated = field.deprecated ? ' <b class="deprecated">deprecated</b>' : "";
  const text = [
    ...(description === undefined ? [] : [`<p>${renderInline(sentence(description), context.site)}</p>`]),
    ...(notes.length === 0 ? [] : [`<p class="notes">${notes.join(" · ")}</p>`]),
    ...inner.map((one) => fold(one, context, within)),
  ].join("");
  return `<tr><th scope="row"><code>${escaped(name)}</code>${needed}${deprecated}<span class="type">${label}</span></th><td>${text}</td></tr>`;
}

/** @param {Inner} inner @param {Context} context @param {readonly string[]} within @returns {string} */
function fold({ title, schema }, context, within) {
  const shown = context.shown.get(title);
  if (shown !== undefined && within.length > 0) return `<p class="notes">Fields: <a href="#${shown}">${escaped(title)}</a></p>`;
  if (within.includes(title)) return `<p class="notes">Fields as in <code>${escaped(title)}</code> above</p>`;
  const table = fieldsTable(schema, context, [...within, title]);
  return `<details><summary>Fields of <code>${escaped(title)}</code></summary>${table}</details>`;
}

/** Descriptions of the API are sentences without a full stop if there is only one. @param {string} text */
const sentence = (text) => (/[.:!?]$/.test(text) ? text : `${text}.`);

/** Of the component itself, where the place that refers to it has none. @param {Json} field @param {Context} context */
function descriptionOf(field, context) {
  const variants = (field.anyOf ?? [field]).filter((/** @type {Json} */ one) => one.$ref !== undefined);
  const found = variants
    .map(context.resolve)
    .find((/** @type {Json} */ one) => one.description !== undefined && one.properties === undefined);
  return found?.description;
}

/** @param {Json} field @param {Context} context @returns {Described} */
export function describe(field, context) {
  const variants = field.anyOf ?? field.oneOf;
  if (field.$ref !== undefined) return describeComponent(field.$ref.split("/").at(-1), context.resolve(field), context);
  if (variants !== undefined) return joined(variants.map((/** @type {Json} */ one) => describe(one, context)));
  if ("const" in field) return { label: `<code>${escaped(JSON.stringify(field.const))}</code>`, notes: [], inner: [] };
  if (field.contentSchema !== undefined) {
    const { label, notes, inner } = describe(field.contentSchema, context);
    return { label: `JSON text: ${label}`, notes, inner };
  }
  if (field.type === "array") {
    const { label, notes, inner } = describe(field.items ?? {}, context);
    return { label: `list of ${label}`, notes: [...notes, ...entriesNote(field)], inner };
  }
  if (field.type === "object") return describeMap(field, context);
  if (field.enum !== undefined) return { label: typeName(field), notes: valuesNote(field.enum), inner: [] };
  return { label: typeName(field), notes: notesOf(field), inner: [] };
}

/** @param {string} name @param {Json} schema @param {Context} context @returns {Described} */
function describeComponent(name, schema, context) {
  if (schema.properties !== undefined) return { label: `<code>${escaped(name)}</code>`, notes: [], inner: [{ title: name, schema }] };
  const [, prefix] = /^\^([a-z]+_)\[0-9a-hjkmnp-tv-z\]/.exec(schema.pattern ?? "") ?? [];
  if (prefix !== undefined) return { label: `ID, <code>${prefix}…</code>`, notes: [], inner: [] };
  if (name === "Timestamp") return { label: "timestamp", notes: [], inner: [] };
  if (name === "Email") return { label: "e-mail address", notes: [], inner: [] };
  if (name === "Sha256") return { label: "SHA-256", notes: ["64 hexadecimal digits"], inner: [] };
  return describe(schema, context);
}

/** @param {readonly Described[]} parts @returns {Described} */
function joined(parts) {
  return {
    label: [...new Set(parts.map(({ label }) => label))].join(" or "),
    notes: parts.flatMap(({ notes }) => notes),
    inner: parts.flatMap(({ inner }) => inner),
  };
}

/** An object whose names are not fixed. @param {Json} field @param {Context} context @returns {Described} */
function describeMap({ additionalProperties, patternProperties = {} }, context) {
  const values = [...Object.values(patternProperties), ...(typeof additionalProperties === "object" ? [additionalProperties] : [])];
  if (values.length === 0) return { label: "object", notes: [], inner: [] };
  const { label, notes, inner } = joined(values.map((one) => describe(one, context)));
  return { label: `object of ${label}`, notes, inner };
}

/** @param {Json} field */
function typeName({ type, format }) {
  if (format === "binary") return "file";
  if (format === "date-time") return "timestamp";
  if (format === "date") return "date";
  const names = [type ?? "any value"].flat().map((name) => (name === "integer" ? "whole number" : name));
  return names.join(" or ");
}

/** @param {readonly unknown[]} values */
function valuesNote(values) {
  const shown = values.map((value) => `<code>${escaped(value === null ? "null" : String(value))}</code>`);
  if (shown.length <= MAX_INLINE_VALUES) return [shown.length === 1 ? `Always ${shown[0]}` : `One of ${shown.join(" ")}`];
  return [`<details><summary>One of ${shown.length} values</summary><span class="values">${shown.join(" ")}</span></details>`];
}

/** @param {Json} field */
function notesOf(field) {
  const { minLength, maxLength, minimum, maximum, default: standard } = field;
  return [
    ...range(minLength === 1 && maxLength === undefined ? "not empty" : null, minLength, maxLength, "characters"),
    ...range(null, minimum, maximum, ""),
    ...(standard === undefined ? [] : [`Default <code>${escaped(JSON.stringify(standard))}</code>`]),
  ];
}

/** @param {Json} field */
const entriesNote = ({ minItems, maxItems }) => range(null, minItems, maxItems, "entries");

/** @param {string | null} short @param {number | undefined} from @param {number | undefined} to @param {string} unit */
function range(short, from, to, unit) {
  const number = (/** @type {number} */ one) => one.toLocaleString("en-US");
  const ending = unit === "" ? "" : ` ${unit}`;
  if (short !== null) return [short];
  if (to === undefined) return from === undefined || from === 0 ? [] : [`At least ${number(from)}${ending}`];
  if (from === undefined || (unit !== "" && from <= 1)) return [`At most ${number(to)}${ending}`];
  return [from === to ? `Exactly ${number(to)}${ending}` : `${number(from)} to ${number(to)}${ending}`];
}
