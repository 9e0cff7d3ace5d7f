import { retryAfter } from "./api.mjs";

// Keys are created only by sessions that logged in, or confirmed who they are, in the last ten minutes.
const CONFIRMED_MS = 8 * 60_000;

/**
 * An admin's session that survives restarts of the service. Log-ins have quotas (10 in 15 minutes for a person, 50 for an address), so the
 * token is renewed instead when less than `renewBefore_ms` of its 15 minutes are left. The admins do not renew at the same moment.
 * @param {import("./api.mjs").Send} send
 * @param {{ email: string, password: string }} admin
 * @param {number} renewBefore_ms
 */
export function adminSession(send, admin, renewBefore_ms) {
  /** @type {{ token: string, refresh_token: string, expires_at: string } | null} */
  let held = null;
  /** @type {Promise<string> | null} */
  let renewing = null;
  let notBefore = 0;
  let confirmedAt = 0;

  async function renew() {
    if (held !== null) {
      // If the response is lost, the same token is sent again. If it was already used, the session ends as stolen, and we log in again.
      const { refresh_token } = held;
      const answer = await send("POST", "/auth/refresh", { body: { refresh_token } });
      if (answer.status === 200) return keep(answer);
      if (answer.status !== 401) throw new Error(`the refresh returned ${answer.status}`);
      held = null;
    }
    if (Date.now() < notBefore) throw new Error("the log-in quota is used up");
    const answer = await send("POST", "/auth/login", { body: { ...admin, mode: "token" } });
    if (answer.status === 429) notBefore = Date.now() + retryAfter(answer) * 1000;
    if (answer.status === 200) confirmedAt = Date.now();
    if (answer.status !== 200) throw new Error(`the log-in returned ${answer.status} ${JSON.stringify(answer.json)}`);
    return keep(answer);
  }

  /** @returns {Promise<string>} */
  async function current() {
    const token = held !== null && isFresh(held) ? held.token : await renew();
    if (!isConfirmed()) {
      const headers = { authorization: `Bearer ${token}` };
      const { status } = await send("POST", "/auth/confirm", { headers, body: { password: admin.password } });
      if (status !== 200) throw new Error(`the confirmation returned ${status}`);
      confirmedAt = Date.now();
    }
    return token;
  }

  /** @param {{ expires_at: string }} held */
  const isFresh = ({ expires_at }) => Date.parse(expires_at) - Date.now() > renewBefore_ms;
  const isConfirmed = () => Date.now() - confirmedAt < CONFIRMED_MS;

  /** @param {import("./api.mjs").Answer} answer @returns {string} */
  function keep(answer) {
    held = answer.json.data;
    return answer.json.data.token;
  }

  return {
    /** A token that is valid for some minutes. Rejects while the service is down. @returns {Promise<string>} */
    token() {
      if (held !== null && isFresh(held) && isConfirmed()) return Promise.resolve(held.token);
      renewing ??= current().finally(() => {
        renewing = null;
      });
      return renewing;
    },
  };
}
