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

/** Half a megabyte, which is sent once this way, and not again for every page. */
export const bringJudge: Prepare = (context) => context.addInitScript({ content: source });

export interface Judged {
  /** some rules, where the rest cannot have changed */
  readonly only?: readonly string[];
}

/** A page or a frame without any violation of WCAG 2.2 AA that a program can find. */
export async function expectAccessible(where: Pick<Page, "evaluate">, what: string, { only }: Judged = {}): Promise<void> {
  const runOnly = only === undefined ? { type: "tag", values: TAGS } : { type: "rule", values: only };
  if (await where.evaluate<boolean>("window.axe === undefined")) await where.evaluate(source);
  const options = JSON.stringify({ runOnly, resultTypes: ["violations"] });
  const { violations } = await where.evaluate<Result>(`(async () => {
    const scrolled = [...document.querySelectorAll("*")].filter((one) => one.scrollTop > 0).map((one) => [one, one.scrollTop]);
    const result = await axe.run(document, ${options});
    // It scrolls to what it judges; the next screen is to be seen as the person left it.
    for (const one of document.querySelectorAll("*")) if (one.scrollTop > 0) one.scrollTop = 0;
    for (const [one, top] of scrolled) one.scrollTop = top;
    return result;
  })()`);
  const told = violations.map(({ id, help, nodes }) => ({ id, help, places: nodes.map((node) => `${node.html}: ${node.failureSummary}`) }));
  // The screens that follow are judged too.
  expect.soft(told, what).toEqual([]);
}
