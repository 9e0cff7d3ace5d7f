import { signal } from "@preact/signals";
import type { Hello } from "./host/host.ts";

/** What the host page chose: parts to hide, ways to create a signature, and values for fields. They change what is offered, not what the service accepts. */
export const hostOptions = signal<Pick<Hello, "hide" | "methods" | "prefill">>({});

export const isHidden = (part: "header" | "decline" | "download"): boolean => hostOptions.value.hide?.includes(part) ?? false;
