/** The examples of the ceremony in the API reference. */

const envelope_id = "env_01h2xcejqtf2nbrexx3vqjhp41";
const [prepared_sha256, state_sha256, text_sha256] = ["41d0", "7be2", "9f2c"].map((start) => start.padEnd(64, "0")) as [
  string,
  string,
  string,
];
const intent = { version: "2026-01", locale: "en", sha256: text_sha256 };
const area = { page: 1, x: 0.12, y: 0.7, w: 0.3, h: 0.05 };
const mark = { kind: "typed", text: "Ann Example", font: "caveat" };

export const opened = {
  envelope: {
    envelope_id,
    name: "Lease",
    status: "viewed",
    expires_at: "2026-02-14T09:00:00.000Z",
    sender: "Example Company",
    message: null,
    success_text: null,
  },
  you: { name: "Ann", email: "ann@example.com", role: "Tenant", status: "viewed", mode: "sign", signed_at: null, paper_requested_at: null },
  recipient: { kind: "signer", step: 1, delivery: "email" },
  state: "ready",
  signers: { signed: 0, total: 2, before_you: 0 },
  identity: { state: "not_required", valid_until: null, attempts_left: null, level: 0, steps: [] },
  consent: {
    accepted_at: "2026-01-15T09:01:00.000Z",
    disclosure: { version: "2026-11", locale: "en", sha256: text_sha256, text: "# Consent to use electronic records and signatures …" },
  },
  agreement: null,
  intent: { ...intent, text: "By selecting Sign I adopt this mark as my signature and intend to sign this document." },
  document: { prepared_sha256, state_sha256, page_count: 1, pages: [{ n: 1, w: 612, h: 792 }], prints_by_language: true },
  documents: [],
  fields: [
    {
      field_id: "f4",
      name: "Tenant signature",
      type: "signature",
      required: true,
      readonly: false,
      options: null,
      settings: {},
      areas: [area],
      document: 1,
      value: false,
      error: { code: "required", message: "must be signed" },
    },
  ],
  others: [{ label: "Rent", type: "number", areas: [{ ...area, y: 0.2 }], options: null, value: "1200", mark_sha256: null, name: null }],
  marks: [],
  signature: mark,
  initials: null,
  progress: { done: 0, total: 1 },
  revision: 3,
  copy: { ready: false },
  default_locale: "en",
  branding: { accent: "#0b5fff" },
  token_expires_at: "2026-01-15T09:15:00.000Z",
  token_renewable: false,
  server_time: "2026-01-15T09:00:02.000Z",
};

export const previewRequest = { role: "Tenant", lang: "en", values: [{ field_id: "f3", value: "2026-02-01" }] };

export const previewed = {
  name: "Lease",
  sender: "Example Company",
  message: null,
  recipient: { name: "Ann", role: "Tenant", kind: "signer" },
  signers: 2,
  disclosure: opened.consent.disclosure,
  agreement: null,
  intent: opened.intent,
  pages: opened.document.pages,
  documents: [],
  fields: opened.fields,
  others: opened.others,
  progress: opened.progress,
  default_locale: "en",
  branding: opened.branding,
};

export const progress = { envelope_status: "viewed", reason: null, your_status: "viewed", signed: 1 };

export const questions = {
  challenge_id: "5f2b7c0e9d1a4f6b8c3e7d2a1b0f9e8d",
  expires_at: "2026-01-15T09:10:00.000Z",
  questions: [
    { id: 1, text: "Which flat did you visit on 3 January?" },
    { id: 2, text: "Who recommended us to you?" },
  ],
  attempts_left: 2,
};

export const started = {
  challenge_id: questions.challenge_id,
  expires_at: questions.expires_at,
  sent_to: "a***@example.com",
  resend_after: "2026-01-15T09:01:00.000Z",
};

export const passedStep = {
  method: "email_code",
  state: "passed",
  attempts_left: 5,
  valid_until: "2026-01-15T10:00:00.000Z",
  hint: "a***@example.com",
};

export const passed = {
  state: "passed",
  valid_until: "2026-01-15T10:00:00.000Z",
  attempts_left: 2,
  level: 1,
  steps: [{ ...passedStep, method: "kba", attempts_left: 2, hint: null }],
};

export const requiredMethods = [
  { method: "email_code", state: "required" },
  { method: "access_code", state: "required" },
];

export const answers = {
  challenge_id: questions.challenge_id,
  answers: [
    { id: 1, value: "Second floor, left" },
    { id: 2, value: "My sister" },
  ],
};

export const setQuestions = questions.questions.map(({ text }, index) => ({ text, answer: answers.answers[index]?.value }));

export const kbaSigner = { email: "ann@example.com", slug: "5f2b7c0e9d1a4f6b8c3e7d2a1b0f9e8d", status: "pending" };

export const consent = { accepted: true, disclosure_version: "2026-11", disclosure_sha256: text_sha256, rendered_pages: [1] };

export const agreement = { agreement_version: "2026-01", agreement_sha256: text_sha256 };

export const fields = { revision: 3, values: [{ field_id: "f4", value: true }], adopt: { signature: mark } };

export const complete = { revision: 4, prepared_sha256, state_sha256, intent, timezone: "Europe/Berlin" };

export const completed = {
  status: "signed",
  signed_at: "2026-01-15T09:04:00.000Z",
  envelope_status: "viewed",
  signed: 1,
  total: 2,
};

const acted = { acted_at: "2026-01-15T09:04:00.000Z", envelope_status: "viewed" };
export const approved = { status: "approved", ...acted };
export const confirmed = { status: "confirmed", ...acted };
