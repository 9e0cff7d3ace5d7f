import { type ReadonlySignal, signal } from "@preact/signals";

/** A choice that this browser keeps. */
export interface StoredSwitch {
  readonly isOn: ReadonlySignal<boolean>;
  /** Returns false if the browser keeps nothing, so that the choice ends with the page. */
  readonly set: (isOn: boolean) => boolean;
}

export function storedSwitch(name: string, isOnAtFirst: boolean): StoredSwitch {
  const stored = readText(name);
  const isOn = signal(stored === "" ? isOnAtFirst : stored === "on");
  return {
    isOn,
    set: (wanted) => {
      isOn.value = wanted;
      return storeText(name, wanted ? "on" : "off");
    },
  };
}

/** What this browser keeps. A browser can refuse storage: then it has nothing, and storing returns false. */
export const readText = (name: string): string => orRefused(() => localStorage.getItem(name) ?? "", "");

export const storeText = (name: string, text: string): boolean =>
  orRefused(() => {
    localStorage.setItem(name, text);
    return true;
  }, false);

function orRefused<T>(act: () => T, refused: T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof DOMException) return refused;
    throw error;
  }
}
