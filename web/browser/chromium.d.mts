export interface Found {
  readonly executablePath: string;
  /** what it needs beyond our own environment */
  readonly env: Readonly<Record<string, string>>;
}

export interface LaunchOptions {
  readonly executablePath: string;
  readonly env: Record<string, string>;
  readonly args: string[];
  readonly chromiumSandbox: boolean;
}

/** Starts the first Chromium that starts, by `chromium.launch` or `chromium.launchServer`: CHROMIUM_PATH alone; else ours, then the system's. */
export function startChromium<T>(
  start: (options: LaunchOptions) => Promise<T>,
  candidates?: Iterable<Found | { readonly missing: string }>,
): Promise<{ readonly started: T } | { readonly missing: string }>;

export function unpack(folder: string): Promise<string>;
