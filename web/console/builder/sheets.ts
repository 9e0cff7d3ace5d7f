import type { Editor } from "./editor.ts";

/** Converts screen positions to positions on a page. */

export interface Point {
  readonly page: number;
  readonly x: number;
  readonly y: number;
}

const sheetsOf = ({ canvas }: Editor): readonly HTMLElement[] => [...(canvas.current?.querySelectorAll<HTMLElement>(".sheet") ?? [])];
const pageOf = (sheet: HTMLElement): number => Number(sheet.dataset.page);

/** The position relative to the nearest page. Outside the page, the fractions are below 0 or above 1. */
export function pointAt(editor: Editor, event: { readonly clientX: number; readonly clientY: number }): Point | null {
  let nearest: { sheet: HTMLElement; far: number } | null = null;
  for (const sheet of sheetsOf(editor)) {
    const { top, bottom } = sheet.getBoundingClientRect();
    const far = Math.max(0, top - event.clientY, event.clientY - bottom);
    if (nearest === null || far < nearest.far) nearest = { sheet, far };
  }
  if (nearest === null) return null;
  const { left, top, width, height } = nearest.sheet.getBoundingClientRect();
  return { page: pageOf(nearest.sheet), x: (event.clientX - left) / width, y: (event.clientY - top) / height };
}

export const isOnSheet = ({ x, y }: Point): boolean => x >= 0 && x <= 1 && y >= 0 && y <= 1;

/** The page that fills most of the window. */
export function pageInView(editor: Editor): number {
  const shown = sheetsOf(editor).map((sheet) => {
    const { top, bottom } = sheet.getBoundingClientRect();
    return { page: pageOf(sheet), seen: Math.min(bottom, innerHeight) - Math.max(top, 0) };
  });
  return shown.reduce((best, one) => (one.seen > best.seen ? one : best), shown[0] ?? { page: 1, seen: 0 }).page;
}
