// The baseline of S3: the minimum that a Node server must do for this response. The statements come from the product's own functions.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import pg from "pg";
import { product } from "./harness.mjs";

const { authenticateKey } = await product("keys/authenticate.js");
const { findStatus } = await product("envelopes/store.js");
const authenticate = await statementOf((read) => authenticateKey(read, `lk_${"0".repeat(40)}`));
const status = await statementOf((read) => findStatus(read, "", ""));

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_APP_URL,
  max: Number(process.env.DATABASE_POOL_SIZE),
});

createServer((request, response) => {
  if (request.url === "/healthz") return void response.end();
  answer(String(request.headers["x-api-key"]), request.url?.split("/").at(-2) ?? "").then(
    (body) => {
      response.writeHead(200, { "content-type": "application/json; charset=utf-8", "content-length": Buffer.byteLength(body) });
      response.end(body);
    },
    (error) => {
      response.writeHead(500, { "content-length": 0 });
      response.end();
      console.error(error);
    },
  );
}).listen(Number(process.env.PORT), "127.0.0.1");

/** @param {string} key @param {string} envelope_id */
async function answer(key, envelope_id) {
  const client = await pool.connect();
  try {
    const caller = (await client.query({ ...authenticate, values: [createHash("sha256").update(key).digest()] })).rows[0];
    const { rows } = await client.query({ ...status, values: [caller.org_id, envelope_id] });
    return JSON.stringify({ data: view(rows[0]) });
  } finally {
    client.release();
  }
}

/** @param {any} row */
function view({ envelope_id, status, completed_at, certificate_path, updated_at }) {
  return { envelope_id, status, vaulted: status === "vaulted", compliant: certificate_path !== null, signed_at: completed_at, updated_at };
}

/**
 * @param {(read: { query(statement: any): Promise<{ rows: any[] }> }) => Promise<unknown>} ask
 * @returns {Promise<{ name: string, text: string, values: any[] }>}
 */
async function statementOf(ask) {
  let seen = null;
  const query = async (/** @type {any} */ statement) => {
    seen = statement;
    return { rows: [] };
  };
  // It throws because nothing is found, but only the statement is needed.
  await ask({ query }).catch(() => undefined);
  if (seen === null) throw new Error("the product ran no statement");
  return seen;
}
