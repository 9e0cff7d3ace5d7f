/** Every type of entry. An entry says what happened; `data` holds what can be erased: names, addresses, texts. */
export const auditTypes = [
  "org.created",
  "settings.changed",
  "member.joined",
  "member.role_changed",
  "member.removed",
  "invitation.created",
  "invitation.revoked",
  "password.changed",
  "session.started",
  "session.ended",
  "session.reuse_detected",
  "key.created",
  "key.updated",
  "key.rotated",
  "key.deactivated",
  "key.webhook_tested",
] as const;

export type AuditType = (typeof auditTypes)[number];
