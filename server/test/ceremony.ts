import { expect } from "vitest";
import type { EnvelopeId } from "../src/shared/ids.ts";
import { currentText } from "../src/texts/current-texts.ts";
import type { Answer, Request, Send } from "./client.ts";
import { newSession, page, tokenFor } from "./envelopes.ts";
import type { TestOrg, TestService } from "./service.ts";

/** A signer on the signing page, step by step. Each call returns the service's response. */
export interface SigningSession {
  readonly session: string;
  readonly envelope_id: EnvelopeId;
  /** relative to the envelope's path of the widget */
  readonly send: (method: string, path?: string, request?: Request) => Promise<Answer>;
  open(): Promise<Answer>;
  see(n?: number): Promise<Answer>;
  consent(more?: object): Promise<Answer>;
  /** for a maker of a transferable record */
  agree(more?: object): Promise<Answer>;
  save(body: object): Promise<Answer>;
  /** by field name; `true` applies a mark */
  fill(values: Readonly<Record<string, unknown>>): Promise<Answer>;
  complete(more?: object, headers?: Record<string, string>): Promise<Answer>;
}

export const typedMark = (text: string) => ({ kind: "typed", text, font: "caveat" });

export async function signingSession(
  service: TestService,
  org: TestOrg,
  envelope_id: string,
  email: string,
  session?: string,
): Promise<SigningSession> {
  return signingSessionWith(service, envelope_id, await tokenFor(org, envelope_id as EnvelopeId, email), session);
}

/** `through`: how each request is sent */
export function signingSessionWith(
  service: TestService,
  id: string,
  token: string,
  session: string = newSession(),
  through: (send: Send) => Send = (send) => send,
): SigningSession {
  const envelope_id = id as EnvelopeId;
  const base = through(page(service, token, session));
  const send: SigningSession["send"] = (method, path = "", request = {}) => base(method, `/embed/sign/${envelope_id}${path}`, request);
  const { version, sha256 } = currentText(service.features.texts, "disclosure");
  const open = () => send("GET");
  return {
    session,
    envelope_id,
    send,
    open,
    see: (n = 1) => send("GET", `/pages/${n}`),
    consent: (more = {}) =>
      send("POST", "/consent", {
        body: { accepted: true, disclosure_version: version, disclosure_sha256: sha256, rendered_pages: [1], ...more },
      }),
    agree: (more = {}) => {
      const { version: agreement_version, sha256: agreement_sha256 } = currentText(service.features.texts, "agreement");
      return send("POST", "/agreement", { body: { agreement_version, agreement_sha256, ...more } });
    },
    save: (body) => send("PUT", "/fields", { body }),
    fill: async (values) => {
      const { fields } = (await open()).json.data;
      const named = Object.entries(values).flatMap(([name, value]) => {
        const ids = fields.filter((field: { name: string }) => field.name === name).map((field: { field_id: string }) => field.field_id);
        expect(ids, name).not.toEqual([]);
        return ids.map((field_id: string) => ({ field_id, value }));
      });
      return send("PUT", "/fields", { body: { values: named } });
    },
    complete: async (more = {}, headers = {}) => {
      const { data } = (await open()).json;
      const { text: _, ...intent } = currentText(service.features.texts, "intent");
      const { prepared_sha256, state_sha256 } = data?.document ?? { prepared_sha256: "0".repeat(64), state_sha256: "0".repeat(64) };
      const body = { revision: data?.revision ?? 0, prepared_sha256, state_sha256, intent, timezone: "Europe/Berlin", ...more };
      return send("POST", "/complete", { body, headers });
    },
  };
}

/** Everything before the final click: pages seen, consent given, mark adopted, every required field filled in. */
export async function makeReady(one: SigningSession, values: Readonly<Record<string, unknown>> = {}, name = "Ann Example"): Promise<void> {
  expect((await one.see()).status).toBe(200);
  expect((await one.consent()).status).toBe(200);
  expect((await one.save({ adopt: { signature: typedMark(name), initials: typedMark("AE") } })).status).toBe(200);
  const { fields, agreement } = (await one.open()).json.data;
  if (agreement?.accepted_at === null) expect((await one.agree()).status).toBe(200);
  const marks = fields
    .filter(({ type }: { type: string }) => type === "signature" || type === "initials")
    .map(({ field_id }: { field_id: string }) => ({ field_id, value: true }));
  const saved = await one.save({ values: marks });
  expect([saved.status, saved.json.error]).toEqual([200, undefined]);
  if (Object.keys(values).length > 0) expect((await one.fill(values)).status).toBe(200);
}

export async function signAll(
  service: TestService,
  org: TestOrg,
  envelope_id: string,
  signers: readonly (readonly [email: string, values?: Readonly<Record<string, unknown>>])[],
): Promise<void> {
  for (const [email, values] of signers) {
    const one = await signingSession(service, org, envelope_id, email);
    await makeReady(one, values);
    const done = await one.complete();
    expect([done.status, done.json.error]).toEqual([200, undefined]);
  }
}
