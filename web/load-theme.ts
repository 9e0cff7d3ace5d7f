/** Applies a theme. The code for it is loaded only if there is a theme. */
export async function loadTheme(theme: unknown): Promise<void> {
  if (typeof theme !== "object" || theme === null || Object.keys(theme).length === 0) return;
  (await import("./ui/theme.ts")).applyTheme(theme);
}

/** Replaces the theme that the host gave before. What it leaves out is as the organization's branding has it. */
export async function changeTheme(theme: object): Promise<void> {
  window.boot = { ...window.boot, theme };
  (await import("./ui/theme.ts")).applyTheme({ ...branding, ...theme });
}

let branding: object = {};

/** Applies the branding of the organization and, over it, the theme of the host. */
export function loadBranding(given: object): Promise<void> {
  branding = given;
  return loadTheme({ ...given, ...(window.boot.theme as object | null) });
}
