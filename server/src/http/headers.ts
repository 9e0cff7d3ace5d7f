/** What every response carries; pages override what they need. */

// A page that shows a key or a link once has a button to copy it, so writing to the clipboard is not among them.
const OFF = [
  "accelerometer",
  "autoplay",
  "camera",
  "clipboard-read",
  "display-capture",
  "encrypted-media",
  "fullscreen",
  "geolocation",
  "gyroscope",
  "hid",
  "identity-credentials-get",
  "idle-detection",
  "local-fonts",
  "magnetometer",
  "microphone",
  "midi",
  "otp-credentials",
  "payment",
  "picture-in-picture",
  "publickey-credentials-create",
  "publickey-credentials-get",
  "screen-wake-lock",
  "serial",
  "storage-access",
  "usb",
  "window-management",
  "xr-spatial-tracking",
];

const always: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "permissions-policy": OFF.map((feature) => `${feature}=()`).join(", "),
};

// A year. Not for the names below ours: they may be somebody else's.
const secure = { ...always, "strict-transport-security": "max-age=31536000" };

/** The promise of https is for an installation that has it everywhere: one half without it would be out of reach. */
export function fixedHeaders({ publicUrl, embedUrl }: { readonly publicUrl: string; readonly embedUrl: string }): typeof always {
  return publicUrl.startsWith("https:") && embedUrl.startsWith("https:") ? secure : always;
}
