import { here, testCases, transfer, transferred, uploads, without } from "../../../../fixtures/changes.ts";
import { minute } from "../../../../fixtures/record.ts";

testCases("custodian", [
  {
    says: "No custodian is assigned.",
    change: (facts) => {
      facts.permissions = [];
    },
  },
  {
    says: "Custodian usr_sam is no longer an active member.",
    change: (facts) => {
      facts.members = [{ user_id: "usr_sam", active: false }];
    },
  },
  {
    says: "Custody records do not agree with the audit trail (entry 7).",
    sources: uploads,
    change: (facts) => {
      facts.permissions = facts.permissions.map((row) => ({ ...row, user_id: "usr_ann" }));
      facts.members = [{ user_id: "usr_ann", active: true }];
    },
  },
  {
    says: "Custody records do not agree with the audit trail (entry 19).",
    sources: here,
    change: (facts) => {
      facts.permissions = facts.permissions.map((row) => ({ ...row, permission_id: "cp_9" }));
    },
  },
  {
    says: "Custody has a gap from 2026-03-05T04:00:00.000Z to 2026-03-05T05:00:00.000Z.",
    wish: { acts: transfer },
    change: transferred(minute(60), minute(120)),
  },
  {
    says: "Custody records do not agree with the audit trail (entry 10).",
    sources: uploads,
    wish: { acts: transfer },
    change: transferred(minute(120), minute(60)),
  },
  {
    says: "Nobody accepted the certification terms before the custodian was assigned (entry 6).",
    sources: uploads,
    wish: { acts: without("certification.accepted") },
    also: ["audit_trail"],
  },
]);
