import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect } from "vitest";
import type { Page, Prepare } from "./browser.ts";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

interface Result {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

/** Adds axe-core to every page of a context, so that its half megabyte is sent only once. */
export const addAxe: Prepare = (context) => context.addInitScript({ content: source });

export interface Judged {
  /** only these rules, if the others cannot have changed */
  readonly only?: readonly string[];
  /** only what is in the element that this selects, such as an open dialog over a page that was checked before */
  readonly within?: string;
}

/** Expects no automatically detectable violation of WCAG 2.2 AA in a page or a frame. */
export async function expectAccessible(where: Pick<Page, "evaluate">, what: string, { only, within }: Judged = {}): Promise<void> {
  const runOnly = only === undefined ? { type: "tag", values: TAGS } : { type: "rule", values: only };
  if (await where.evaluate<boolean>("window.axe === undefined")) await where.evaluate(source);
  const options = JSON.stringify({ runOnly, resultTypes: ["violations"] });
  const { violations } = await where.evaluate<Result>(`(async () => {
    const scrolled = [...document.querySelectorAll("*")].filter((one) => one.scrollTop > 0).map((one) => [one, one.scrollTop]);
    const result = await axe.run(${within === undefined ? "document" : `document.querySelector(${JSON.stringify(within)})`}, ${options});
    // axe scrolls while it checks. The scroll positions are restored.
    for (const one of document.querySelectorAll("*")) if (one.scrollTop > 0) one.scrollTop = 0;
    for (const [one, top] of scrolled) one.scrollTop = top;
    return result;
  })()`);
  const found = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    places: nodes.map((node) => `${node.html}: ${node.failureSummary}`),
  }));
  // Soft, so that the following screens are checked too.
  expect.soft(found, what).toEqual([]);
}
