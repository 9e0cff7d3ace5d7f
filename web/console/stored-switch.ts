import { type ReadonlySignal, signal } from "@preact/signals";

/** A choice that this browser keeps. */
export interface StoredSwitch {
  readonly isOn: ReadonlySignal<boolean>;
  /** Returns false if the browser keeps nothing, so that the choice ends with the page. */
  readonly set: (isOn: boolean) => boolean;
}

export function storedSwitch(name: string, isOnAtFirst: boolean): StoredSwitch {
  const isOn = signal(readStored(name, isOnAtFirst));
  return {
    isOn,
    set: (wanted) => {
      isOn.value = wanted;
      return orRefused(() => {
        localStorage.setItem(name, wanted ? "on" : "off");
        return true;
      }, false);
    },
  };
}

const readStored = (name: string, otherwise: boolean): boolean =>
  orRefused(() => {
    const stored = localStorage.getItem(name);
    return stored === null ? otherwise : stored === "on";
  }, otherwise);

/** A browser can refuse storage. */
function orRefused(act: () => boolean, refused: boolean): boolean {
  try {
    return act();
  } catch (error) {
    if (error instanceof DOMException) return refused;
    throw error;
  }
}
