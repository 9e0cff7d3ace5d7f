import { storedSwitch } from "./stored-switch.ts";

/** Keys of a single character. Every screen has one of them, `?`; those of lists are loaded with the lists. */

const keys = storedSwitch("countersign.list-keys", true);

/** Whether keys of a single character act. */
export const usesKeys = keys.isOn;
export const setUsesKeys = keys.set;

const TYPED = 'input:not([type="checkbox"]):not([type="radio"]):not([type="button"]), textarea, select, [contenteditable]';

/** Whether the key is text for a field. */
export const isTyping = ({ target }: KeyboardEvent): boolean => !(target instanceof Element) || target.matches(TYPED);
