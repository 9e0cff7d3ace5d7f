import type { FunctionComponent } from "preact";
import { retryDelayMs } from "../http.ts";
import { locale } from "../i18n/i18n.ts";
import { lazyTable } from "../i18n/locales.ts";
import { showTrouble } from "../trouble.ts";
import { partOf } from "../ui/part.tsx";
import { flush } from "./autosave.ts";

/** The screens that are loaded later, because not every signer needs them. */
type Screens = typeof import("./screens/lazy.ts");
type ScreenName = { [Name in keyof Screens]: Screens[Name] extends FunctionComponent ? Name : never }[keyof Screens];

/** Saves the entries, then reloads the page to get the current version. */
const saveAndReload = () => void flush().then(() => location.reload());

const showOffline = () => showTrouble(null);

/** The screens and their words are requested together. */
async function loadScreens(): Promise<Screens> {
  const [screens] = await Promise.all([import("./screens/lazy.ts"), locale.value === "en" ? null : lazyTable(locale.value)]);
  await screens.showLazyWords();
  return screens;
}

/**
 * Tries until a part of the page is loaded. `onFailure`: an attempt failed without a connection, and the next one follows. With a
 * connection, the page is loaded anew: its files are those of another version, or the browser remembers that they could not be loaded.
 */
export async function loadAtLast<Part>(load: () => Promise<Part>, onFailure: () => void = showOffline): Promise<Part> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await load();
    } catch (error) {
      await fetch(import.meta.url, { cache: "no-store" }).then(saveAndReload, onFailure);
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs(error, attempt)));
    }
  }
}

const { View, fetchAhead } = partOf(
  async () => {
    const screens = await loadScreens();
    return ({ name }: { readonly name: ScreenName }) => {
      const Screen = screens[name];
      return <Screen />;
    };
  },
  () => void loadScreensAtLast().then(fetchAhead),
);

/** One of these screens. It renders nothing until they are loaded. */
export const lazy =
  (name: ScreenName): FunctionComponent =>
  () => <View name={name} />;

/** Loads the screens before one of them is needed, because the network may be gone by then. */
export const fetchScreensAhead = fetchAhead;

export const loadScreensAtLast = (onFailure?: () => void): Promise<Screens> => loadAtLast(loadScreens, onFailure);

/** Does something with a paper of the signer. */
export const withPapers = (run: (papers: Screens) => Promise<boolean>): void => void loadScreensAtLast().then(run);
