/** What an element does not go along with. The sentence is for the console of whoever builds the page: never an address, which holds a token. */
export class Refusal extends Error {}

// As the service makes them. In a page, everybody who can see it can act for the organization.
const API_KEY = /lk_[0-9a-f]{40}/;

export function refuseApiKey(values: Iterable<string>): void {
  for (const value of values) {
    if (API_KEY.test(value))
      throw new Refusal("there is an API key in an attribute: it must never reach a browser. Deactivate it, and read docs/embedding.md");
  }
}
