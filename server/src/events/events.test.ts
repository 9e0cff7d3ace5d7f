import { describe, expect, test } from "vitest";
import { testService } from "../../test/service.ts";
import { newId } from "../shared/ids.ts";
import { appendEvent } from "./append-event.ts";
import { eventTypes } from "./catalogue.ts";

const service = testService();

describe("the catalogue", () => {
  test("has the specification's 17 types: 9 dispatched, 8 reserved", () => {
    const names = Object.entries(eventTypes);
    expect(names.filter(([, type]) => type.dispatched).map(([name]) => name)).toEqual([
      "envelope.created",
      "envelope.sent",
      "envelope.voided",
      "envelope.reminder_sent",
      "vault.stored",
      "vault.compliance.passed",
      "vault.compliance.failed",
      "custodian.transfer",
      "webhook.test",
    ]);
    expect(names.filter(([, type]) => !type.dispatched).map(([name]) => name)).toEqual([
      "envelope.viewed",
      "envelope.completed",
      "envelope.declined",
      "envelope.expired",
      "vault.document.accessed",
      "vault.document.tamper_detected",
      "custodian.accepted",
      "custodian.rejected",
    ]);
  });

  test("gives every event about an envelope customer_id and external_id for routing", () => {
    for (const [name, type] of Object.entries(eventTypes)) {
      if (!type.dispatched || name === "webhook.test") continue;
      expect(Object.keys(type.data.properties), name).toEqual(expect.arrayContaining(["customer_id", "external_id"]));
    }
  });
});

describe("appendEvent", () => {
  test("stores the event object of the specification as bytes", async () => {
    const { org_id } = await service.newOrg();
    const envelope_id = newId("envelope");
    const data = { envelope_id, reason: "wrong price – “really”", customer_id: null, external_id: "A-1" };
    const event_id = await service.db.tx(org_id, (tx) => appendEvent(tx, org_id, { type: "envelope.voided", envelope_id, data }));
    const [row] = await service.database.owner<{ body: Buffer; event_type: string }>(
      "select body, event_type from events where event_id = $1",
      [event_id],
    );
    const body = JSON.parse(row?.body.toString("utf8") ?? "");
    expect(body).toEqual({
      event_type: "envelope.voided",
      event_id,
      org_id,
      envelope_id,
      timestamp: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      data,
    });
    expect(Object.keys(body)).toEqual(["event_type", "event_id", "org_id", "envelope_id", "timestamp", "data"]);
  });

  test("leaves nothing behind if its transaction fails", async () => {
    const { org_id } = await service.newOrg();
    const failing = service.db.tx(org_id, async (tx) => {
      await appendEvent(tx, org_id, { type: "webhook.test", envelope_id: null, data: { message: "x" } });
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await service.database.owner("select from events where org_id = $1", [org_id])).toEqual([]);
  });

  test("throws for a reserved type and for data that does not match the schema", async () => {
    const { org_id } = await service.newOrg();
    const append = (type: string, data: object) =>
      service.db.tx(org_id, (tx) =>
        appendEvent(tx, org_id, { type: type as "webhook.test", envelope_id: null, data: data as { message: string } }),
      );
    await expect(append("envelope.viewed", {})).rejects.toThrow("reserved");
    await expect(append("webhook.test", { message: 5 })).rejects.toThrow("does not match its schema");
  });
});
