import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseSync } from "vite";
import { expect, test } from "vitest";

/** Every text that a person reads in the console is in a table `web/console/words/<area>/en.ts`, so that a translation is another table. */

const root = fileURLToPath(new URL("../console/", import.meta.url));

/** Attributes and members that hold a text for people. */
const SHOWN = new Set(
  "aria-label busyLabel button caption error head heading hint label lead legend message otherwise placeholder summary text title what words".split(
    " ",
  ),
);

type Node = { readonly type: string; readonly start: number } & Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;
const nodesIn = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

/** What an expression can be: both ways of a condition, and each part of a list. Not what it compares or calls. */
function resultsOf(node: Node): Node[] {
  const from = (...names: string[]) => names.flatMap((name) => (isNode(node[name]) ? resultsOf(node[name]) : []));
  switch (node.type) {
    case "ConditionalExpression":
      return from("consequent", "alternate");
    case "LogicalExpression":
      return from("left", "right");
    case "JSXExpressionContainer":
    case "ParenthesizedExpression":
    case "TSAsExpression":
    case "TSSatisfiesExpression":
      return from("expression");
    case "ArrayExpression":
      return (node.elements as unknown[]).filter(isNode).flatMap(resultsOf);
    case "TemplateLiteral":
      return [node, ...(node.expressions as Node[]).flatMap(resultsOf)];
    default:
      return [node];
  }
}

/** The fixed text of a string or of a template, or null. */
function textOf(node: Node): string | null {
  if (node.type === "JSXText" || node.type === "Literal") return typeof node.value === "string" ? node.value : null;
  if (node.type !== "TemplateLiteral") return null;
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join("…");
}

/** Not the name of a file or an address. */
const isWord = (text: string): boolean => /\p{L}/u.test(text) && !/^\s*(?:\/[\w/-]+|[\w-]+\.json)\s*$/.test(text);
/** Not a code, an address or an example such as `org_…`. */
const isPhrase = (text: string): boolean => /^\s*\p{Lu}\p{Ll}|\p{L}{2}[\p{L},.:]* \p{L}|^[ ,.(]+\p{L}/u.test(text);
const isSentence = (text: string): boolean => /^\p{Lu}[\p{Ll} -].*\p{L} (?:… )?\p{L}/u.test(text);

const nameOf = (node: unknown): string => (isNode(node) ? String(node.name ?? node.value) : "");
/** The names of commands, settings and files are the same in all languages. */
const isCode = (node: Node): boolean => isNode(node.openingElement) && nameOf(node.openingElement.name) === "code";

function textsIn(node: Node): [start: number, text: string][] {
  const among = (nodes: readonly Node[], isText: (text: string) => boolean) =>
    nodes.flatMap((one): [number, string][] => {
      const text = textOf(one);
      return text !== null && isText(text) ? [[one.start, text]] : [];
    });
  const of = (value: unknown, isText: (text: string) => boolean) => (isNode(value) ? among(resultsOf(value), isText) : []);
  switch (node.type) {
    case "JSXText":
      return among([node], isWord);
    case "JSXAttribute":
      return SHOWN.has(nameOf(node.name)) ? of(node.value, isPhrase) : [];
    case "Property":
      return SHOWN.has(nameOf(node.key)) ? of(node.value, isPhrase) : [];
    case "JSXElement":
    case "JSXFragment":
      return (node.children as Node[]).filter(({ type }) => type === "JSXExpressionContainer").flatMap((one) => of(one, isPhrase));
    case "ReturnStatement":
      return of(node.argument, isSentence);
    case "ArrowFunctionExpression":
      return of(node.body, isSentence);
    default:
      return [];
  }
}

/** A sentence for each text that stands in the code. */
function faultsOf(file: string, code: string): string[] {
  const parsed = parseSync(file, code);
  expect(parsed.errors, file).toEqual([]);
  const found = new Map<number, string>();
  const walk = (node: Node): void => {
    for (const [start, text] of textsIn(node)) found.set(start, text);
    if (!isCode(node)) nodesIn(node).forEach(walk);
  };
  walk(parsed.program as unknown as Node);
  return [...found].map(
    ([start, text]) =>
      `web/console/${file}:${code.slice(0, start).split("\n").length} has the text “${text.trim().replace(/\s+/g, " ")}”: put it into a table in web/console/words, as in web/console/words/table/en.ts`,
  );
}

const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
  (file) => /\.tsx?$/.test(file) && !file.endsWith(".test.ts") && !file.startsWith("words/"),
);

test("every text of the console is in a table of words", () => {
  expect(files.length).toBeGreaterThan(250);
  expect(files.flatMap((file) => faultsOf(file, readFileSync(root + file, "utf8")))).toEqual([]);
});

test("numbers, dates and times are formatted in one place each, in English", () => {
  const all = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => /(?<!\.test)\.tsx?$/.test(file));
  const formatting = all.filter((file) =>
    /\.toLocale\w*String\(|Intl\.(?:DateTime|Number|RelativeTime)Format\b/.test(readFileSync(root + file, "utf8")),
  );
  expect(formatting.sort()).toEqual(["format-number.ts", "format.ts", "zone-inputs.ts", "zone.ts"]);
});

test("the check can fail: texts in elements, attributes, members and results are refused, with the place to look", () => {
  const texts = (code: string) => faultsOf("keys/key.tsx", code).map((fault) => /“(.*)”/.exec(fault)?.[1]);
  expect(faultsOf("keys/key.tsx", "export const Key = () =>\n  <h2>Your key</h2>;")).toEqual([
    "web/console/keys/key.tsx:2 has the text “Your key”: put it into a table in web/console/words, as in web/console/words/table/en.ts",
  ]);
  expect(texts(`const a = <p>{isOpen ? \`Open since \${at}\` : words.closed} days</p>;`)).toEqual(["Open since …", "days"]);
  expect(texts('const a = <p>{name}{isWrong && ", has an error"}</p>;')).toEqual([", has an error"]);
  expect(texts('const a = <Field label="Name" hint={isNew ? "must be new" : null} name="name" class="wide open" />;')).toEqual([
    "Name",
    "must be new",
  ]);
  expect(texts('const columns = [{ head: "Event", cell: one }];')).toEqual(["Event"]);
  expect(texts('function state() { if (a) return "Not sent yet."; return words.sent; }')).toEqual(["Not sent yet."]);
  expect(texts(`const state = (name: string) => \`Waiting for \${name}\`;`)).toEqual(["Waiting for …"]);
});

test("names of commands, settings and files, addresses and codes may stand in the code", () => {
  const code = `
    const a = <p>{words.run} <code>countersign log show</code> · <a href="/openapi.json">openapi.json</a> {count} / {all}</p>;
    const b = <Field label={words.id} placeholder="org_…" class="wide open" onKeyDown={({ key }) => key === "Escape" && close()} />;
    const c = () => \`\${kind} \${id}\`;
    const d = () => "wide open";
  `;
  expect(faultsOf("keys/key.tsx", code)).toEqual([]);
});
