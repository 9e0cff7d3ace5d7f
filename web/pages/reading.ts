import { computed, signal } from "@preact/signals";

/** How the document is read: text view, zoom, and the page in the middle of the window. */

export const asText = signal(false);

const STEPS = [1, 1.25, 1.5, 2, 3];
const at = signal(0);

export const zoom = computed(() => STEPS[at.value] ?? 1);
export const canZoomIn = computed(() => !asText.value && at.value < STEPS.length - 1);
export const canZoomOut = computed(() => !asText.value && at.value > 0);

export function zoomIn(): void {
  at.value = Math.min(at.value + 1, STEPS.length - 1);
}

export function zoomOut(): void {
  at.value = Math.max(at.value - 1, 0);
}

export const pageShown = signal(1);

/** Scrolls to a page. */
export function goToPage(page: number): void {
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
  document.querySelector(`.sheet[data-page="${page}"]`)?.scrollIntoView({ block: "start", behavior });
}
