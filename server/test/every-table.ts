import { expect } from "vitest";
import { onePage, text } from "../../pdf/fixtures/pages.ts";
import { writePdf } from "../../pdf/fixtures/writer.ts";
import { ensureSeal } from "../src/seals/ensure-seal.ts";
import type { EnvelopeId } from "../src/shared/ids.ts";
import { makeReady, signingSession } from "./ceremony.ts";
import { sentEnvelope } from "./envelopes.ts";
import { form } from "./form.ts";
import { newForm } from "./forms.ts";
import type { TestOrg, TestService } from "./service.ts";
import { askedOf, offeredTo } from "./two-vaults.ts";
import { standInBundles, vaultedCopy, vaultedEnvelope } from "./vaulted.ts";

/** Gives an organization a row in every table of organizations. Returns the envelope that most of them are about. */
export async function fillEveryTable(service: TestService, theirs: TestOrg): Promise<EnvelopeId> {
  const { key_id } = await theirs.newKey();
  const endpoint = await theirs.admin("POST", "/webhooks/endpoints", { body: { url: "https://example.com/hooks" } });
  await theirs.admin("POST", `/webhooks/endpoints/${endpoint.json.data.endpoint_id}/test`);
  // Pending deliveries are cancelled, which records an attempt.
  await theirs.admin("PATCH", `/webhooks/endpoints/${endpoint.json.data.endpoint_id}`, { body: { enabled: false } });
  await service.database.owner(
    "insert into webhook_days (org_id, day, endpoint_id, succeeded, failed) values ($1, '2026-01-01', $2, 1, 0)",
    [theirs.org_id, endpoint.json.data.endpoint_id],
  );
  await theirs.admin("POST", `/partners/keys/${key_id}/test-webhook`, { headers: { "idempotency-key": "x" } });
  await service.database.owner(
    `insert into key_refusals (org_id, key_id, minute, reason, address_group, ip, user_agent)
     values ($1, $2, now(), 'expired', '192.0.2.1/32', '192.0.2.1', '')`,
    [theirs.org_id, key_id],
  );
  await theirs.admin("POST", "/org/invitations", { body: { email: "new@example.com", role: "viewer" } });
  const tagged = { bytes: writePdf(onePage({ content: text("{{Secret;role=Buyer}}") })) };
  const customer = await theirs.admin("POST", "/partner/customers", { body: { name: "Secret" } });
  await theirs.admin("POST", "/partner/templates", form({ name: "Secret" }, tagged));
  await theirs.admin("POST", `/partner/customers/${customer.json.data.customer_id}/documents`, form({}, tagged));
  await service.database.owner(
    "insert into mail_messages (org_id, message_id, kind, to_address, body_context, expires_at) values ($1, 'msg ' || $1, 'x', 'x', '', now())",
    [theirs.org_id],
  );
  const { envelope_id } = await sentEnvelope(service, theirs, { kba_required: true });
  await signWithQuestions(service, theirs, envelope_id);
  await service.database.owner(
    `insert into maker_agreements (org_id, slug, envelope_id, session, agreement_version, agreement_locale, agreement_sha256)
     select org_id, slug, envelope_id, session, '1', 'en', '' from consents where org_id = $1`,
    [theirs.org_id],
  );
  await theirs.admin("POST", "/org/audit-sinks", { body: { kind: "syslog", target: "syslog+tls://logs.example.com" } });
  await service.database.owner(
    `insert into sign_in_events (org_id, ip, user_agent, method, result, reason, attempts, first_at, last_at)
     values ($1, '192.0.2.1', '', 'session', 'forbidden', 'scope_missing', 1, now(), now())`,
    [theirs.org_id],
  );
  await service.database.owner("insert into audit_positions (org_id, leaf_index, subject, seq) values ($1, 0, $1, 1)", [theirs.org_id]);
  await service.database.owner("insert into envelope_counts (org_id, day, kind, n) values ($1, '-infinity', 'sent', 0)", [theirs.org_id]);
  await service.database.owner("insert into envelope_buckets (org_id, subset, bucket_no, last_id) values ($1, '', 1, $2)", [
    theirs.org_id,
    envelope_id,
  ]);
  await service.database.owner(
    "insert into certification_acceptances (org_id, envelope_id, terms_version, terms_sha256, accepted_by, actor) values ($1, $2, '1', '', '{}', '{}')",
    [theirs.org_id, envelope_id],
  );
  const people = [{ email: "bank@example.com", name: "Secret", rights: "approve" }];
  const { party_id } = (await theirs.admin("POST", "/partner/parties", { body: { kind: "people", name: "Secret Bank", people } })).json
    .data;
  await theirs.admin("PUT", "/org/registry", { body: { url: "https://registry.example.com", mode: "gate", kinds: ["assign"] } });
  await theirs.admin("PUT", "/org/mail-texts", { body: { kind: "invitation", locale: "en", footer: "Secret" } });
  await service.database.owner(
    "insert into mail_senders (org_id, from_name, from_address, dkim_selector, dkim_key_enc, dkim_public) values ($1, 'x', 'x', 'x', '', '')",
    [theirs.org_id],
  );
  const granted = { party_id, filter: { customer_id: "x" }, may_download: true, until: "2050-01-01T00:00:00.000Z" };
  await theirs.admin("POST", "/partner/audit-grants", { body: granted });
  const about = "(org_id, act_id, envelope_id, kind, document, sha256, expected_version, proposed_by, proposed_at, expires_at, updated_at)";
  await service.database.owner(
    `insert into control_acts ${about} values ($1, 'act_x', $2, 'pledge', '{}', repeat('0', 64), 1, '{}', now(), now(), now())`,
    [theirs.org_id, envelope_id],
  );
  for (const insert of [
    "control_batches (org_id, control_batch_id, kind, reason, root, count, created_by, created_at, entry_hash) values ($1, 'cbt_x', 'pledge', $3, repeat('0', 64), 1, '{}', now(), $2)",
    "control_batch_items (org_id, control_batch_id, index, envelope_id, copy_sha256, expected_version, record_name, proof) values ($1, 'cbt_x', 0, $2, '', 1, $3, '{}')",
    "act_needs (org_id, act_id, need_no, role, party_id, asked) values ($1, 'act_x', 1, 'pledgee', $3, $2 <> '')",
    "act_approvals (org_id, act_id, approval_no, role, party_id, actor, principal, principal_email, decision, method, is_member, at) values ($1, 'act_x', 1, 'pledgee', $3, '{}', 'x', 'x', 'confirm', 'code', $2 = '', now())",
    "registrations (org_id, act_id, mode, body, next_attempt_at, created_at, give_up_at) values ($1, 'act_x', 'gate', convert_to($2 || $3, 'UTF8'), now(), now(), now())",
    "pledges (org_id, envelope_id, party_id, act_id, since) values ($1, $2, $3, 'act_x', now())",
    "participations (org_id, envelope_id, party_id, act_id, share_bp, since) values ($1, $2, $3, 'act_x', 1, now())",
  ]) {
    await service.database.owner(`insert into ${insert}`, [theirs.org_id, envelope_id, party_id]);
  }
  await service.database.owner("insert into rehashed_envelopes (org_id, envelope_id, complete) values ($1, $2, true)", [
    theirs.org_id,
    envelope_id,
  ]);
  const { envelope_id: alike } = await sentEnvelope(service, theirs);
  await service.database.owner(
    "insert into duplicate_reviews (org_id, envelope_id, other_envelope_id, statement, reviewed_by, at, entry_seq) values ($1, $2, $3, 'x', $4, now(), 1)",
    [theirs.org_id, envelope_id, alike, theirs.user_id],
  );
  await theirs.admin("POST", `/partner/envelopes/${alike}/void`, { body: { reason: "x" } });
  await theirs.admin("GET", `/partner/envelopes/${alike}/completion-certificate`);
  await service.database.owner("insert into document_fingerprints (org_id, envelope_id, kind, value) values ($1, $2, 'file', 'x')", [
    theirs.org_id,
    envelope_id,
  ]);
  await theirs.admin("PATCH", `/partner/envelopes/${alike}`, { body: { tags: ["Secret"] } });
  await service.database.owner(
    "insert into template_tags (org_id, tag_key, template_id) select org_id, 'secret', template_id from templates where org_id = $1 limit 1",
    [theirs.org_id],
  );
  await theirs.admin("POST", "/views", { body: { name: "Secret", query: {} } });
  await theirs.admin("PATCH", "/notifications/settings", { body: { kinds: { completed: { mail: false } } } });
  const { form_id } = await newForm(theirs);
  await service.database.owner(
    "insert into form_starts (org_id, code_sha256, form_id, email, name, locale, message_id, ip, expires_at) values ($1, 'x', $2, 'a@example.com', 'A', 'en', 'msg_x', '::1', now())",
    [theirs.org_id, form_id],
  );
  for (const insert of [
    "envelope_words (org_id, word, envelope_id) values ($1, 'secret', 'env_x')",
    "recent_recipients (org_id, email_key, email, name) values ($1, 'secret@example.com', 'secret@example.com', 'Secret')",
    "recipient_words (org_id, word, email_key) values ($1, 'secret', 'secret@example.com')",
    "backfills (name, org_id, done_at) values ('envelope-words', $1, now())",
    "bulk_batches (org_id, batch_id, template_id, name, state, options, file_sha256, created_by) select $1, 'bat_x', template_id, 'Secret', 'checked', '{}', '', '{}' from templates where org_id = $1 limit 1",
    "bulk_files (org_id, batch_id, content) values ($1, 'bat_x', 'Secret')",
    "bulk_rows (org_id, batch_id, row_no, state) values ($1, 'bat_x', 2, 'ready')",
    "failed_jobs (org_id, problem_id, job_id, task, state, attempts, first_failed_at, last_failed_at, error_code, error) select $1, 'prb ' || $1, coalesce(max(job_id), 0) + 1, 'vault.store', 'failed', 25, now(), now(), 'internal', 'Secret' from failed_jobs",
    "org_domains (org_id, domain_id, domain, token) values ($1, 'dom_x', 'secret.example', 'x')",
    "sso_connections (org_id, connection_id, name, issuer, client_id, client_secret_enc, scopes) values ($1, 'sso ' || $1, 'Secret', 'x', 'x', '', '{}')",
    "sso_identities (org_id, connection_id, subject, user_id, email) select $1, 'sso ' || $1, 'x', user_id, 'x' from members where org_id = $1 limit 1",
    "sso_attempts (org_id, state_hash, connection_id, nonce, verifier_enc, browser_hash, purpose, expires_at) values ($1, convert_to($1, 'UTF8'), 'sso ' || $1, 'x', '', '', 'login', now())",
    "notifications (org_id, notification_id, user_id, kind, data) select $1, 'ntf_x', user_id, 'completed', '{}' from members where org_id = $1 limit 1",
  ]) {
    await service.database.owner(`insert into ${insert}`, [theirs.org_id]);
  }
  await ensureSeal(service.features.seals, theirs.org_id);
  await useVault(service, theirs);
  await askedOf(service, theirs);
  await service.database.owner(
    `insert into asked_vaults (org_id, act_id, party_id, vault_id, asker_root, decider_root, decider_org_id, asked_at)
     select org_id, 'act_x', $2, vault_id, root_sha256, root_sha256, remote_org_id, now() from remote_vaults where org_id = $1 limit 1`,
    [theirs.org_id, party_id],
  );
  return envelope_id;
}

/** A vaulted envelope with a hold, an export and an assignment, for a row in each of the vault's tables. */
async function useVault(of: TestService, org: TestOrg): Promise<void> {
  standInBundles(of);
  const { envelope_id, sha256 } = await vaultedEnvelope(of, org, { secured_party: { name: "Secret Bank" } });
  const path = `/partner/envelopes/${envelope_id}`;
  const body = { recipient: { name: "Secret", email: "secret@example.com" }, reason: "Secret" };
  expect((await org.admin("POST", `${path}/vault-out`, { body })).status).toBe(201);
  expect((await org.admin("POST", `${path}/vault/legal-hold`, { body: { reason: "Secret" } })).status).toBe(201);
  await of.database.owner(
    "insert into vault_attestations (org_id, envelope_id, attestation_no, attestation, attestation_sha256, actor) values ($1, $2, 1, '{}', '', '{}')",
    [org.org_id, envelope_id],
  );
  await of.database.owner(
    "insert into evidence_files (org_id, envelope_id, sha256, size, content_type) values ($1, $2, $3, 1, 'image/png')",
    [org.org_id, envelope_id, sha256],
  );
  await of.database.owner(
    "insert into vault_visits (org_id, token_sha256, envelope_id, expires_at) values ($1, repeat('0', 64), $2, now())",
    [org.org_id, envelope_id],
  );
  await of.database.owner(
    "insert into used_receipts (org_id, envelope_id, key_id, export_id, from_org_id, from_envelope_id, receipt, used_at, entry_seq) values ($1, $2, 'x', 'exp ' || $1, $1, 'x', '{}', now(), 1)",
    [org.org_id, envelope_id],
  );
  const paper = await vaultedCopy(of, org);
  const act = { kind: "paper_out", reason: "Secret", present_version: 1, recipient: body.recipient };
  expect((await org.admin("POST", `/partner/envelopes/${paper.envelope_id}/acts`, { body: act })).status).toBe(201);
  const { transfer_id } = await offeredTo(of, org);
  await of.database.owner(
    "insert into record_origins (org_id, envelope_id, transfer_id, bundle_sha256, release, release_signature, vault, first) values ($1, $2, $3, $4, '', '', '{}', '{}')",
    [org.org_id, envelope_id, transfer_id, sha256],
  );
}

/** A complete ceremony, for a row in each of its tables. */
async function signWithQuestions(of: TestService, org: TestOrg, envelope_id: EnvelopeId): Promise<void> {
  const { signers } = (await org.admin("GET", `/partner/envelopes/${envelope_id}/signers`)).json.data;
  const questions = ["first", "second"].map((which) => ({ text: `The ${which} word?`, answer: which }));
  await org.admin("PUT", `/partner/envelopes/${envelope_id}/signers/${signers[0].slug}/kba`, { body: { questions } });
  const identity = `/partner/envelopes/${envelope_id}/signers/${signers[0].slug}/identity`;
  await org.admin("PUT", identity, { body: { authentication: [{ method: "access_code", code: "blue-harbour" }] } });
  await org.admin("PUT", identity, { body: { authentication: [] } });
  const one = await signingSession(of, org, envelope_id, "ann@example.com");
  const { challenge_id } = (await one.send("GET", "/kba")).json.data;
  const answers = questions.map(({ answer }, index) => ({ id: index + 1, value: answer }));
  expect((await one.send("POST", "/kba", { body: { challenge_id, answers } })).json.data.state).toBe("passed");
  await makeReady(one);
  expect((await one.send("GET", "/document")).status).toBe(200);
  expect((await one.complete()).status).toBe(200);
  await of.database.owner("insert into signer_corrections (org_id, envelope_id, email) values ($1, $2, 'an@example.com')", [
    org.org_id,
    envelope_id,
  ]);
  await of.database.owner(
    "insert into signed_values (org_id, envelope_id, position, slug, value) select org_id, envelope_id, position, slug, '' from signatures where envelope_id = $1",
    [envelope_id],
  );
}
