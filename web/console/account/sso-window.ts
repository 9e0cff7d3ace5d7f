/** Single sign-on in a window of its own, while the page waits for it: to confirm who the user is, or to test a connection. */

const CHANNEL = "countersign sso";

export interface WindowResult {
  readonly status: "confirmed" | "tested" | "failed";
  readonly email?: string;
  readonly message?: string;
}

/** Opened at once, because browsers open windows only while the user clicks. Null: the browser did not. */
export const openWindow = (): Window | null => window.open("about:blank", "_blank", "width=520,height=720");

/** What the page in the other window reports. The caller closes the window if the way there fails. */
export function whenFinished(): Promise<WindowResult> {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise((resolve) => {
    channel.onmessage = ({ data }: MessageEvent<WindowResult>) => {
      channel.close();
      resolve(data);
    };
  });
}

export function report(result: WindowResult): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(result);
  channel.close();
}
