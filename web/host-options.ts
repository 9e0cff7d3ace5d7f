import { signal } from "@preact/signals";
import type { Hello } from "./host/host.ts";

/** What the host page chose: parts to hide, and ways to create a signature. They change what is offered, not what the service accepts. */
export const hostOptions = signal<Pick<Hello, "hide" | "methods">>({});

export const isHidden = (part: "header" | "decline" | "download"): boolean => hostOptions.value.hide?.includes(part) ?? false;
