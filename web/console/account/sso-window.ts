/** Single sign-on in a window of its own, while the page waits for it: to confirm who the user is, or to test a connection. */

const CHANNEL = "countersign sso";

export interface WindowResult {
  readonly status: "confirmed" | "tested" | "failed";
  readonly email?: string;
  readonly message?: string;
}

/** Opened at once, because browsers open windows only while the user clicks. Null: the browser did not. */
export const openWindow = (): Window | null => window.open("about:blank", "_blank", "width=520,height=720");

/**
 * What the page in the other window reports; null if the caller gives up. A browser does not tell whether the user closed the window, so
 * the page must let them stop waiting. The caller closes the window if the way there fails.
 */
export function whenFinished(signal: AbortSignal): Promise<WindowResult | null> {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise((resolve) => {
    const end = (result: WindowResult | null) => {
      channel.close();
      resolve(result);
    };
    channel.onmessage = ({ data }: MessageEvent<WindowResult>) => end(data);
    signal.addEventListener("abort", () => end(null), { once: true });
  });
}

export function report(result: WindowResult): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(result);
  channel.close();
}
