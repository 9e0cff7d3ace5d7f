/** Applies a theme. The code for it is loaded only if there is a theme. */
export async function loadTheme(theme: unknown): Promise<void> {
  if (typeof theme !== "object" || theme === null || Object.keys(theme).length === 0) return;
  (await import("./ui/theme.ts")).applyTheme(theme);
}
