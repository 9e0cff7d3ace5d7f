import type { Locator } from "@playwright/test";
import { expect, fail, type Page } from "./browser.ts";

/** The ways to work a screen. They count what they do. */
export interface Hands {
  press(what: Locator): Promise<void>;
  /** Replaces what a field contains. */
  write(field: Locator, words: string): Promise<void>;
  chooseFile(field: Locator, file: { readonly name: string; readonly mimeType: string; readonly buffer: Buffer }): Promise<void>;
  /** Opens a menu and presses one of its entries. */
  choose(menu: Locator, entry: string): Promise<void>;
  /** Selects a row of a list. */
  select(name: string): Promise<void>;
  /** Opens the dialog that tags the selected rows. */
  tagSelected(): Promise<void>;
  /** Opens a screen of the main menu. */
  openScreen(name: string): Promise<void>;
  /** Finds an envelope with the search over everything, and opens it. */
  goTo(words: string, envelope: string): Promise<void>;
  used(): { readonly presses: number; readonly typed: number };
}

const search = (page: Page) => page.getByRole("combobox", { name: "Search everything" });
const found = (page: Page, name: string) => page.getByRole("option", { name: new RegExp(`^${name}`) });
/** Waits for a new screen. Its title takes the focus: a Tab key pressed before that would start elsewhere. */
export const opened = (page: Page, name: string) => expect(page.getByRole("heading", { level: 1, name, exact: true })).toBeFocused();

export function mouse(page: Page): Hands {
  let [presses, typed] = [0, 0];
  const press = async (what: Locator) => {
    await what.click();
    presses++;
  };
  return {
    press,
    used: () => ({ presses, typed }),
    write: async (field, words) => {
      await field.fill(words);
      [presses, typed] = [presses + 1, typed + 1];
    },
    chooseFile: async (field, file) => {
      await field.setInputFiles(file);
      presses++;
    },
    choose: async (menu, entry) => {
      await press(menu);
      await press(page.getByRole("menuitem", { name: entry, exact: true }));
    },
    select: (name) => press(page.getByRole("checkbox", { name: `Select ${name}` })),
    tagSelected: () => press(page.getByRole("toolbar", { name: "Actions for the selection" }).getByRole("button", { name: "Tag" })),
    openScreen: async (name) => {
      await press(page.getByRole("navigation").getByRole("link", { name, exact: true }));
      await opened(page, name);
    },
    goTo: async (words, envelope) => {
      await press(page.getByRole("button", { name: "Search everything" }).filter({ visible: true }));
      await search(page).fill(words);
      typed++;
      await press(found(page, envelope).first());
      await opened(page, envelope);
    },
  };
}

// The longest way on a screen of the console, from its last element to its first.
const MOST_TABS = 120;

/** Never uses the mouse: an element that the Tab key does not reach fails the test. */
export function keyboard(page: Page): Hands {
  let [presses, typed] = [0, 0];
  const hit = async (key: string) => {
    await page.keyboard.press(key);
    presses++;
  };
  const isFocused = async (what: Locator) => (await what.and(page.locator(":focus")).count()) > 0;
  const reach = async (what: Locator) => {
    await what.waitFor();
    for (let tabs = 0; !(await isFocused(what)); tabs++) {
      if (tabs === MOST_TABS) fail(`the Tab key does not reach ${what}`);
      await hit("Tab");
    }
  };
  const press = async (what: Locator) => {
    await reach(what);
    const isBox = (await what.getAttribute("type")) === "checkbox";
    await hit(isBox ? "Space" : "Enter");
  };
  const openSearch = async (words: string) => {
    await hit("Control+k");
    await expect(search(page)).toBeFocused();
    await page.keyboard.type(words);
    typed++;
  };
  const take = async (option: Locator) => {
    await option.waitFor();
    for (let steps = 0; (await option.getAttribute("aria-selected")) !== "true"; steps++) {
      if (steps === MOST_TABS) fail(`the arrow keys do not reach ${option}`);
      await hit("ArrowDown");
    }
    await hit("Enter");
  };
  return {
    press,
    used: () => ({ presses, typed }),
    write: async (field, words) => {
      await reach(field);
      await page.keyboard.press("Control+a");
      await page.keyboard.type(words);
      typed++;
    },
    chooseFile: async (field, file) => {
      // Awaited from before the way to the field: the browser needs a moment until it reports the picker instead of opening it.
      const chooser = page.waitForEvent("filechooser");
      await reach(field);
      await hit("Enter");
      await (await chooser).setFiles(file);
    },
    choose: async (menu, entry) => {
      await press(menu);
      const item = page.getByRole("menuitem", { name: entry, exact: true });
      await item.waitFor();
      for (let steps = 0; !(await isFocused(item)); steps++) {
        if (steps === MOST_TABS) fail(`the arrow keys do not reach ${entry}`);
        await hit("ArrowDown");
      }
      await hit("Enter");
    },
    select: async (name) => {
      const row = page.getByRole("rowheader").getByRole("link", { name, exact: true });
      await row.waitFor();
      for (let steps = 0; !(await isFocused(row)); steps++) {
        if (steps === MOST_TABS) fail(`j does not reach ${name}`);
        await hit("j");
      }
      await hit("x");
      await expect(page.getByRole("checkbox", { name: `Select ${name}` })).toBeChecked();
    },
    tagSelected: () => hit("t"),
    openScreen: async (name) => {
      await openSearch(name.toLowerCase());
      await take(found(page, name).first());
      await opened(page, name);
    },
    goTo: async (words, envelope) => {
      await openSearch(words);
      await take(found(page, envelope).first());
      await opened(page, envelope);
    },
  };
}
