import { Countersign } from "@countersign/client";

/** @typedef {{ url: string, cs: Countersign }} Api a service, and a client of it with a credential */

/** With a key. @param {string} url @param {string} apiKey @returns {Api} */
export const withKey = (url, apiKey) => ({ url, cs: new Countersign({ baseUrl: url, apiKey }) });

/** With a person's session. @param {string} url @param {string} token @returns {Api} */
export const withSession = (url, token) => ({ url, cs: new Countersign({ baseUrl: url, token: () => token }) });

/**
 * The set-up call, which is not part of the client because it is made once, before any credential exists.
 * @param {string} url @param {object} body @returns {Promise<{ token: string, org: { name: string } }>}
 */
export async function setUpService(url, body) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${url}/api/v2/setup`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`POST /setup returned ${answer.status}: ${await answer.text()}`);
  const { data } = /** @type {{ data: { token: string, org: { name: string } } }} */ (await answer.json());
  return data;
}
