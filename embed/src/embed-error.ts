/** A mistake in the use of an element. The message is shown in the browser console and never contains an address, which may hold a token. */
export class EmbedError extends Error {}

// The format of API keys. A key in a page lets everyone who sees the page act for the organization.
const API_KEY = /lk_[0-9a-f]{40}/;

export function rejectApiKey(values: Iterable<string>): void {
  for (const value of values) {
    if (API_KEY.test(value))
      throw new EmbedError(
        "an attribute contains an API key, which must never reach a browser. Deactivate the key and read docs/embedding.md",
      );
  }
}
