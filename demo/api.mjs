/** A refusal, or no answer: says which call, and in whose words. */
export class CallFailed extends Error {
  name = "CallFailed";
}

/**
 * @typedef {object} Api
 * @property {string} url
 * @property {(method: string, path: string, body?: object | FormData) => Promise<any>} call the answer's `data`
 * @property {(path: string) => Promise<Buffer>} download
 */

/** Calls with a credential: a key, or a person's session. @param {string} url @param {Record<string, string>} [credential] @returns {Api} */
export function openApi(url, credential = {}) {
  /** @param {string} method @param {string} path @param {object | FormData} [body] */
  async function send(method, path, body) {
    const isForm = body instanceof FormData;
    const headers = { ...credential, ...(body !== undefined && !isForm && { "content-type": "application/json" }) };
    const sent = body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) };
    const answer = await fetch(`${url}/api/v2${path}`, { method, headers, ...sent }).catch((cause) => {
      throw new CallFailed(`${method} ${path}: nobody answers at ${url}`, { cause });
    });
    if (answer.ok) return answer;
    throw new CallFailed(`${method} ${path} was answered with ${answer.status}: ${await answer.text()}`);
  }
  return {
    url,
    call: async (method, path, body) => (await (await send(method, path, body)).json()).data,
    download: async (path) => Buffer.from(await (await send("GET", path)).arrayBuffer()),
  };
}
