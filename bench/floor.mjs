// The floor of S3: the least that a Node server can do for this answer. The statements are the product's own, taken from its functions.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import pg from "pg";
import { product } from "./harness.mjs";

const PAGE = { page: 1, limit: 20 };

const { authenticateKey } = await product("keys/authenticate.js");
const { listEnvelopes } = await product("envelopes/store.js");
const { APP_ROLE } = await product("db/connect.js");
const authenticate = await statementOf((read) => authenticateKey(read, `lk_${"0".repeat(40)}`));
const list = await statementOf((read) => listEnvelopes(read, "", {}, PAGE));

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_POOL_SIZE),
  options: `-c role=${APP_ROLE} -c timezone=UTC`,
});

createServer((request, response) => {
  if (request.url === "/healthz") return void response.end();
  answer(String(request.headers["x-api-key"])).then(
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

/** @param {string} key */
async function answer(key) {
  const client = await pool.connect();
  try {
    const caller = (await client.query({ ...authenticate, values: [createHash("sha256").update(key).digest()] })).rows[0];
    const { rows } = await client.query({ ...list, values: [caller.org_id, ...list.values.slice(1)] });
    return JSON.stringify({ data: rows.map(view), meta: { ...PAGE, total: rows[0].total } });
  } finally {
    client.release();
  }
}

/** @param {any} row */
function view({ envelope_id, envelope_name, status, customer_id, external_id, created_at, updated_at }) {
  return { envelope_id, envelope_name, status, customer_id, external_id, created_at, updated_at };
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
  await ask({ query });
  if (seen === null) throw new Error("the product asked nothing");
  return seen;
}
