import type { Page } from "./browser.ts";

/** The next such request arrives, and its answer is lost. What is returned waits until that has happened. */
export async function loseAnswer(page: Page, path: RegExp, method: string): Promise<() => Promise<void>> {
  let isLost = false;
  let happen = (): void => undefined;
  const happened = new Promise<void>((resolve) => {
    happen = resolve;
  });
  await page.route(path, async (route) => {
    if (isLost || route.request().method() !== method) return route.fallback();
    isLost = true;
    await route.fetch();
    await route.abort("connectionreset");
    happen();
  });
  return () => happened;
}
