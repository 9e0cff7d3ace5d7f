/** The code that judges colours is fetched by those who have some. */
export async function wear(theme: unknown): Promise<void> {
  if (typeof theme !== "object" || theme === null || Object.keys(theme).length === 0) return;
  (await import("./ui/theme.ts")).applyTheme(theme);
}
