export interface Found {
  readonly executablePath: string;
  /** what it needs besides our own environment */
  readonly env: Readonly<Record<string, string>>;
}

export interface LaunchOptions {
  readonly executablePath: string;
  readonly env: Record<string, string>;
  readonly args: string[];
  readonly chromiumSandbox: boolean;
}

/** The first Chromium that is there: CHROMIUM_PATH, ours on Linux x64, the system's; else why there is none. */
export function findChromium(): Promise<Found | { readonly missing: string }>;

/** Starts it by `chromium.launch` or `chromium.launchServer`. */
export function launchFound<T>(found: Found, start: (options: LaunchOptions) => Promise<T>): Promise<T>;

export function unpack(folder: string): Promise<string>;
