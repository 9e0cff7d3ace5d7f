import type { Locator } from "@playwright/test";
import type { TestOrg } from "../../server/test/service.ts";
import { expect, type Page, test, watchOf } from "./browser.ts";
import type { Colleague, TestConsole } from "./console.ts";
import { loseAnswer } from "./lose-answer.ts";

/** Acts of a screen that are sent twice, because the first answer is lost. */

export const NO_ANSWER = "Countersign is not responding. Check your network connection. Nothing you entered is lost.";
/** what a request says that made a secret before */
export const ALREADY = /^This request already succeeded\. Its response contained a secret/;

export interface Act {
  readonly what: string;
  readonly path: string;
  /** the member who does it; by default, the admin */
  readonly as?: () => Pick<Colleague, "user_id">;
  readonly method: "DELETE" | "PATCH" | "POST" | "PUT";
  /** of the request, below the API's path */
  readonly url: RegExp;
  /** fills the form */
  readonly fill: (page: Page) => Promise<unknown>;
  /** opens again what the first attempt has closed */
  readonly again?: (page: Page) => Promise<unknown>;
  /** the button that sends it */
  readonly send: (page: Page) => Locator;
  /** a field and what was entered; without one, there is nothing to lose */
  readonly entered?: readonly [label: string, value: string];
  /** what the second attempt says, or where it leads */
  readonly said: (page: Page) => Promise<unknown>;
  /** what exists now */
  readonly now: () => Promise<unknown>;
  readonly expected: unknown;
}

/** An organization, and the ids of what it has, by name. */
export function office(console: TestConsole) {
  let org: TestOrg;
  const ids: Record<string, string> = {};
  const at = (path: string): string => path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? name);
  const read = async (path: string) => (await org.admin("GET", at(path))).json.data;
  const make = async (path: string, body: object) => (await org.admin("POST", at(path), { body })).json.data;
  /** how many entries the audit trail of the organization, or of one envelope, has of a type */
  const entries = async (type: string) => (await org.admin("GET", `/org/audit-trail?type=${type}`)).json.meta.total;
  const entriesOf = async (envelope: string, type: string) =>
    (await read(`/partner/envelopes/:${envelope}/audit-trail?limit=100`)).filter((one: { type: string }) => one.type === type).length;
  const open = async (): Promise<TestOrg> => {
    org = await console.service.newOrg("Example Company");
    return org;
  };
  return {
    ids,
    at,
    read,
    make,
    entries,
    entriesOf,
    open,
    visit: (path: string, who: Parameters<TestConsole["open"]>[2]) => console.open(org, at(path), who),
  };
}

export const press = (name: string) => (page: Page) => page.getByRole("button", { name, exact: true }).last();
export const saveIn = (card: string) => (page: Page) =>
  page.getByRole("region", { name: card, exact: true }).getByRole("button", { name: "Save", exact: true });
export const seen = (text: string | RegExp) => (page: Page) => expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible();
export const type = (label: string, text: string) => (page: Page) => page.getByLabel(label, { exact: true }).fill(text);
/** In a card, for a label that another card has too. */
export const inside = (card: string, label: string, text: string) => (page: Page) =>
  page.getByRole("region", { name: card, exact: true }).getByLabel(label, { exact: true }).fill(text);
export const fromMenu = (menu: string, item: string) => async (page: Page) => {
  await page.getByRole("button", { name: menu, exact: true }).click();
  await page.getByRole("menuitem", { name: item, exact: true }).click();
};
export const inLastDialog = (name: string) => (page: Page) => page.getByRole("dialog").getByRole("button", { name, exact: true });
export const inDialog = (open: string, label: string, text: string) => async (page: Page) => {
  await page.getByRole("button", { name: open, exact: true }).first().click();
  await page.getByRole("dialog").getByLabel(label, { exact: true }).fill(text);
};

export function tryTwice({ visit }: ReturnType<typeof office>, acts: readonly Act[]): void {
  test.each(acts)(
    "$what: it is there once after the second attempt",
    async ({ path, as, method, url, fill, again, send, entered, said, now, expected }) => {
      const page = await visit(path, as === undefined ? {} : { as: as() });
      watchOf(page.context()).expect(/ERR_CONNECTION_RESET/);
      await fill(page);
      const lost = await loseAnswer(page, url, method);
      await send(page).click();
      await lost();
      await expect(page.getByText(NO_ANSWER).first()).toBeVisible();
      if (entered !== undefined) await expect(page.getByLabel(entered[0], { exact: true }).first()).toHaveValue(entered[1]);
      await again?.(page);
      await send(page).click();
      await said(page);
      await expect(page.getByText(NO_ANSWER)).toHaveCount(0);
      expect(await now()).toEqual(expected);
    },
  );
}
