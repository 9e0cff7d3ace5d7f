import { signal } from "@preact/signals";

/** On a small screen: whether the task is collapsed, so that more of the document is visible. On a very low one it begins so. */
export const isPanelLow = signal(matchMedia("(max-width: 719px) and (max-height: 480px)").matches);
