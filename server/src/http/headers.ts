/** The headers of every response. Pages override what they need. */

// Writing to the clipboard stays allowed, because pages that show a key or a link once have a button to copy it.
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

/** Turns off what no page needs. A page names the features that it uses itself, which frames inside it never get. */
export const permissionsPolicy = (used: readonly string[] = []): string =>
  OFF.map((feature) => `${feature}=(${used.includes(feature) ? "self" : ""})`).join(", ");

const always: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "permissions-policy": permissionsPolicy(),
};

// A year. Without includeSubDomains, because subdomains can belong to someone else.
const secure = { ...always, "strict-transport-security": "max-age=31536000" };

/** Strict-Transport-Security only if both URLs use https. Otherwise the one without https could no longer be reached. */
export function fixedHeaders({ publicUrl, embedUrl }: { readonly publicUrl: string; readonly embedUrl: string }): typeof always {
  return publicUrl.startsWith("https:") && embedUrl.startsWith("https:") ? secure : always;
}
