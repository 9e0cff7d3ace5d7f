import { signal } from "@preact/signals";

/** Files that were chosen on another screen, for the first step of the wizard, which takes them once. */
export const chosenFiles = signal<readonly File[]>([]);
