import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import {
  cosignatureBy,
  isNoteSignedBy,
  type NoteKey,
  nodesFromTiles,
  readEntriesTile,
  readNote,
  readTile,
  readTreeHead,
  readVkey,
  rootOf,
  type Tile,
  tilePath,
} from "@countersign/evidence";
import { beforeAll, describe, expect, test } from "vitest";
import type { Witness as RunningWitness, Answer as WitnessAnswer } from "../../../verify/src/witness/cosign-checkpoint.ts";
import { listen } from "../../../verify/src/witness/listen.ts";
import { fetchHttp, pollOnce } from "../../../verify/src/witness/poll.ts";
import { openWitnessKey } from "../../../verify/src/witness/witness-key.ts";
import { openWitnessState } from "../../../verify/src/witness/witness-state.ts";
import { leavesOf, record, rootByDefinition } from "../../test/log.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { newMember } from "../../test/vaulted.ts";
import { testWitnesses, type WitnessPeer } from "../../test/witness.ts";
import { asSystem, systemOrigin } from "../shared/caller.ts";
import { advanceLog } from "./advance-log.ts";
import { askWitnesses } from "./ask-witnesses.ts";
import type { Witness } from "./build-log.ts";
import type { LogDeps } from "./checkpoint.ts";
import { ensureCovered } from "./ensure-covered.ts";
import { lookUpForkAlarm } from "./look-up-fork-alarm.ts";
import { listCosignatures, listNotes } from "./note-store.ts";
import { requireOrigin } from "./require-origin.ts";
import { restartLog } from "./restart-log.ts";
import { ensureNote } from "./sign-note.ts";

const service = testService();
let org: TestOrg;
const { folder, start } = testWitnesses();
beforeAll(async () => {
  org = await service.newOrg();
});

let chains = 0;
/** Adds entries and signs a checkpoint. Returns its size. */
async function grow(count = 3): Promise<number> {
  await record(service, org.org_id, `env_witnessed_${++chains}`, count);
  return (await advanceLog(service.features.log))?.tree_size ?? 0;
}

const asking = (...witnesses: readonly Witness[]): LogDeps => {
  const { notes, ...rest } = service.features.log;
  return { ...rest, notes: { ...notes, witnesses } };
};

const get = async (path: string) => {
  const response = await fetch(`${service.url}/log/${path}`);
  return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
};

const logKey = async (): Promise<NoteKey> => {
  const { json } = await org.admin("GET", "/org/transparency");
  const key = readVkey(json.data.vkeys[0]);
  if (key === null) throw new Error("the log has no key");
  return key;
};

const startWitness = async (): Promise<WitnessPeer> => start(await logKey());

describe("the public log", () => {
  test("its note has the size and root of the checkpoint, and the log's signature, and may be cached for five seconds", async () => {
    const tree_size = await grow();
    const { status, headers, body } = await get("checkpoint");
    expect([status, headers.get("content-type"), headers.get("cache-control")]).toEqual([
      200,
      "text/plain; charset=utf-8",
      "public, max-age=5",
    ]);
    const note = readNote(body);
    expect(note === null ? null : isNoteSignedBy(note, await logKey())).toBe(true);
    const log_id = JSON.parse(
      String((await service.database.owner<{ bytes: Buffer }>("select bytes from checkpoints order by tree_size desc limit 1"))[0]?.bytes),
    ).log_id;
    expect(readTreeHead(note?.text ?? "")).toEqual({
      origin: `localhost/log/${log_id.slice(0, 16)}`,
      tree_size,
      root: rootByDefinition(await leavesOf(service.database)),
    });
  });

  test("its tiles make the root, and its entries are the hashes of audit entries", async () => {
    const tree_size = await grow(300);
    const fetchTile = async (tile: Tile) => {
      const { status, headers, body } = await get(tilePath(tile));
      expect([status, headers.get("content-type")]).toEqual([200, "application/octet-stream"]);
      expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      return readTile(body, tile.width) ?? [];
    };
    const leaves = await leavesOf(service.database);
    const read = nodesFromTiles(tree_size, fetchTile);
    const places = [...Array(tree_size).keys()].map((index) => ({ level: 0, index }));
    expect(rootOf({ subtrees: await read([{ level: 8, index: 0 }]) })).toBe(rootByDefinition(leaves.slice(0, 256)));
    expect(await read(places)).toHaveLength(tree_size);
    const { body } = await get("tile/entries/000");
    expect(readEntriesTile(body, 256)).toEqual(leaves.slice(0, 256));
    const width = tree_size - 256;
    expect(readEntriesTile((await get(`tile/entries/001.p/${width}`)).body, width)).toEqual(leaves.slice(256));
  });

  test("nothing is there after the last checkpoint, nor at another form of a path", async () => {
    const tree_size = await grow();
    await record(service, org.org_id, `env_witnessed_${++chains}`, 5);
    const [whole, width] = [Math.floor(tree_size / 256), tree_size % 256];
    const last = tilePath({ level: 0, index: whole, width });
    expect((await get(last)).status).toBe(200);
    const others = [
      tilePath({ level: 0, index: whole, width: width + 1 }),
      tilePath({ level: 0, index: whole + 1, width: 1 }),
      "tile/0/0",
      "tile/0/00%30",
      "tile/0/000/",
      "tile/9/000",
      "Checkpoint",
      "",
    ];
    for (const path of others) expect((await get(path)).status, path).toBe(404);
  });

  test("600 requests a minute of one address are answered", async () => {
    await service.database.owner("select take_quota('log:127.0.0.1', 600, interval '1 minute') from generate_series(1, 600)");
    const { status, headers } = await get("checkpoint");
    expect([status, headers.get("x-ratelimit-limit")]).toEqual([429, "600"]);
    await service.database.owner("select clear_quotas(array['log:127.0.0.1'])");
    expect((await get("checkpoint")).status).toBe(200);
  });

  test("a checkpoint that was signed before there were notes gets one", async () => {
    const tree_size = await grow();
    await service.database.owner("update checkpoints set note = null where tree_size = $1", [tree_size]);
    await ensureNote(service.features.log);
    expect(readTreeHead(readNote((await get("checkpoint")).body)?.text ?? "")?.tree_size).toBe(tree_size);
  });
});

describe("witnesses", () => {
  test("cosign the latest note, and later ones from there", async () => {
    const { witness, listening } = await startWitness();
    try {
      for (const count of [3, 20]) {
        const tree_size = await grow(count);
        expect(await askWitnesses(asking(witness))).toEqual([]);
        const found = await service.db.system((tx) => listCosignatures(tx, tree_size, 10));
        expect(found).toEqual([
          {
            tree_size,
            witness: witness.key.name,
            vkey: witness.vkey,
            at: expect.stringMatching(/^20.*\.000Z$/),
            valid: true,
            line: expect.stringContaining(witness.key.name),
          },
        ]);
        const note = readNote((await get("checkpoint")).body);
        expect(note === null ? null : cosignatureBy(note, witness.key)).not.toBeNull();
        expect((await service.db.system((tx) => listNotes(tx, tree_size, 10))).map((one) => one.tree_size)).toEqual([tree_size]);
      }
      // What is cosigned is not asked for again.
      const rows = () => service.database.owner("select from checkpoint_cosignatures");
      const before = (await rows()).length;
      expect(await askWitnesses(asking(witness))).toEqual([]);
      expect((await rows()).length).toBe(before);
    } finally {
      await listening.close();
    }
  });

  test("that have seen more than we know of them are proved to from there", async () => {
    const { witness, running, listening } = await startWitness();
    try {
      await grow();
      await askWitnesses(asking(witness));
      // As if the answer had been lost.
      await service.database.owner("delete from checkpoint_cosignatures where witness = $1", [witness.vkey]);
      const tree_size = await grow();
      expect(await askWitnesses(asking(witness))).toEqual([]);
      expect(running.state.latest(running.logs[0]?.name ?? "")?.tree_size).toBe(tree_size);
      expect(await service.db.system(lookUpForkAlarm)).toBeNull();
    } finally {
      await listening.close();
    }
  });

  test("are asked in a job soon after a document is covered", async () => {
    const { witness, listening } = await startWitness();
    try {
      const waiting = () => service.database.owner("select from outbox where task = 'log.ask-witnesses'");
      await ensureCovered(service.features.log, await record(service, org.org_id, `env_witnessed_${++chains}`, 2));
      expect(await waiting()).toHaveLength(0);
      await ensureCovered(asking(witness), await record(service, org.org_id, `env_witnessed_${++chains}`, 2));
      expect(await waiting()).toHaveLength(1);
    } finally {
      await listening.close();
    }
  });

  test("that poll accept the log", async () => {
    const own = openWitnessKey(join(folder, "polling"), "witness.example/polling");
    const running: RunningWitness = { own, logs: [await logKey()], state: openWitnessState(join(folder, "polling-state")), now: Date.now };
    const out = join(folder, "polled");
    const first = await grow();
    expect(await pollOnce(running, fetchHttp, `${service.url}/log`, out)).toEqual({ kind: "cosigned", tree_size: first });
    const second = await grow(260);
    expect(await pollOnce(running, fetchHttp, `${service.url}/log`, out)).toEqual({ kind: "cosigned", tree_size: second });
  });

  test("that fail or answer nonsense are recorded, and the log goes on", async () => {
    await grow();
    const { witness, listening } = await startWitness();
    await listening.close();
    expect(await askWitnesses(asking(witness))).toEqual([`${witness.key.name}: connection_error`]);
    const stranger = await startWitness();
    try {
      // Another key than that of the witness at this address.
      expect(await askWitnesses(asking({ ...witness, url: stranger.listening.url }))).toEqual([
        `${witness.key.name}: the answer has no valid cosignature`,
      ]);
    } finally {
      await stranger.listening.close();
    }
    expect(await service.db.system(lookUpForkAlarm)).toBeNull();
    await grow();
  });
});

describe("a fork", () => {
  /** A peer that answers every request in one way. */
  async function answering(answer: WitnessAnswer): Promise<{ url: string; close: () => Promise<void> }> {
    const server = createServer((request, response) => {
      request.resume().once("end", () => response.writeHead(answer.status, { "content-type": answer.type }).end(answer.body));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      close: () => new Promise((resolve) => server.close(() => resolve())),
    };
  }
  const notices = () =>
    service.database.owner("select payload from outbox where task = 'orgs.notify-admins' and payload::text like '%witness_conflict%'");

  test.each([
    ["422", { status: 422, type: "text/plain", body: "no\n" }],
    ["409 with a size that this database does not have", { status: 409, type: "text/x.tlog.size", body: "999999\n" }],
    ["409 with the size that was proved from", { status: 409, type: "text/x.tlog.size", body: "0\n" }],
  ])("is told once after %s, shown to every member, and ends with the next cosignature", async (_what, answer) => {
    const real = await startWitness();
    const liar = await answering(answer);
    try {
      await grow();
      const before = (await notices()).length;
      const lying = { ...real.witness, url: liar.url };
      for (const _ of [1, 2]) expect((await askWitnesses(asking(lying)))[0]).toContain(`${lying.key.name}: conflict: `);
      const orgs = Number((await service.database.owner<{ count: string }>("select count(*) from orgs"))[0]?.count);
      expect((await notices()).length - before).toBe(orgs);
      expect(await service.db.system(lookUpForkAlarm)).toMatchObject({ vkey: lying.vkey });
      const viewer = await newMember(service, org, "viewer");
      for (const send of [org.admin, viewer.send]) {
        const { json } = await send("GET", "/org/transparency");
        expect(json.data).toMatchObject({
          conflicts: [{ witness: lying.key.name, at: expect.stringMatching(/^20/) }],
          warnings: ["witness_conflict"],
        });
      }
      // The log goes on, and the witness sees that it is the same.
      await grow();
      expect(await askWitnesses(asking(real.witness))).toEqual([]);
      expect(await service.db.system(lookUpForkAlarm)).toBeNull();
    } finally {
      await Promise.all([liar.close(), real.listening.close()]);
    }
  });

  test("of 409 without a size is only an error", async () => {
    const real = await startWitness();
    const liar = await answering({ status: 409, type: "text/plain", body: "no\n" });
    try {
      await grow();
      expect(await askWitnesses(asking({ ...real.witness, url: liar.url }))).toEqual([
        `${real.witness.key.name}: the witness answered 409`,
      ]);
      expect(await service.db.system(lookUpForkAlarm)).toBeNull();
    } finally {
      await Promise.all([liar.close(), real.listening.close()]);
    }
  });

  test("by a restored backup is refused by the witness, and a restart under a new name settles it", async () => {
    const { witness, running, listening } = await startWitness();
    const deps = asking(witness);
    try {
      const kept = await grow();
      await grow(10);
      await askWitnesses(deps);
      const published = (await get("checkpoint")).body;
      const previous = readTreeHead(readNote(published)?.text ?? "");
      // The database of an hour ago.
      await service.database.owner(
        "delete from checkpoint_cosignatures; delete from checkpoint_tokens; delete from witness_conflicts; delete from log_checks",
      );
      for (const [table, column] of [
        ["checkpoints", "tree_size > $1"],
        ["log_leaves", "leaf_index >= $1"],
        ["log_nodes", "(node_index + 1) << level > $1"],
      ])
        await service.database.owner(`delete from ${table} where ${column}`, [kept]);
      await grow(20);
      expect((await askWitnesses(deps))[0]).toContain("of which this database knows nothing");
      expect(await service.db.system(lookUpForkAlarm)).toMatchObject({ witness_size: previous?.tree_size });

      const by = { ...asSystem({ ...systemOrigin("test", "test"), operator: "ann" }) };
      const origin = await restartLog({ db: service.db }, by, { reason: "the disk failed", last_note: published });
      expect(origin).toBe(`${previous?.origin}/2`);
      expect(await service.db.system(lookUpForkAlarm)).toBeNull();
      await grow(1);
      const note = readNote((await get("checkpoint")).body);
      expect(readTreeHead(note?.text ?? "")?.origin).toBe(origin);
      // A witness that is given the new key begins anew.
      const key = await logKey();
      expect(key.name).toBe(origin);
      const informed = await listen({ ...running, logs: [...running.logs, key] }, "127.0.0.1", 0, () => undefined);
      expect(await askWitnesses(asking({ ...witness, url: informed.url }))).toEqual([]);
      await informed.close();
      // The restart is a leaf, and an entry of every organization.
      const [restart] = await service.database.owner<{ hash: string; bytes: Buffer }>("select hash, bytes from log_restarts");
      expect(await leavesOf(service.database)).toContain(restart?.hash);
      expect(JSON.parse(String(restart?.bytes))).toMatchObject({
        origin,
        previous_origin: previous?.origin,
        tree_size: previous?.tree_size,
        root: previous?.root,
        reason: "the disk failed",
      });
      const entries = await service.database.owner(
        "select data->>'operator' as operator from audit_entries join audit_entry_data using (org_id, subject, seq) where type = 'log.restarted' and org_id = $1",
        [org.org_id],
      );
      expect(entries).toEqual([{ operator: "ann" }]);
    } finally {
      await listening.close();
    }
  });
});

describe("the name of the log", () => {
  test("is stored once: another LOG_ORIGIN stops the start, and PUBLIC_URL does not change it", async () => {
    await grow(1);
    const { db, notes } = service.features.log;
    await expect(requireOrigin({ db, notes: { ...notes, origin: "other.example/log" } })).rejects.toThrow(
      "LOG_ORIGIN differs from localhost/log/",
    );
    await requireOrigin({ db, notes: { ...notes, host: "moved.example" } });
    const [row] = await service.database.owner<{ origin: string }>("select origin from log_origin");
    await requireOrigin({ db, notes: { ...notes, origin: row?.origin ?? "" } });
  });
});
