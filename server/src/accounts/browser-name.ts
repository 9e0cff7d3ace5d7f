// The first match wins. The order matters, because user agents also name other browsers (Edge also says Chrome and Safari).
const browsers = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
] as const;

const systems = [
  [/\b(iPhone|iPod)\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
] as const;

/** Describes a user agent, for example "Firefox on Windows". Mails never repeat the caller's own text. The console has the same list. */
export function browserName(user_agent: string): string {
  const first = (known: readonly (readonly [RegExp, string])[]) => known.find(([pattern]) => pattern.test(user_agent))?.[1];
  const [browser, system] = [first(browsers), first(systems)];
  if (browser === undefined) return "an unknown program";
  return system === undefined ? browser : `${browser} on ${system}`;
}
