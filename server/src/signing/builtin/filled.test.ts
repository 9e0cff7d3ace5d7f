import { expect, test } from "vitest";
import type { SentField } from "../field.ts";
import { dayIn, fill } from "./filled.ts";
import { NO_DRAFT } from "./store.ts";
import { MAX_DRAWN_CHARACTERS } from "./value-fit.ts";

const area = { page: 1, x: 0, y: 0, w: 1, h: 1 };
const field = (position: number, more: Partial<SentField> = {}): SentField => ({
  position,
  name: `Field ${position}`,
  type: "text",
  role: "Tenant",
  required: false,
  readonly: false,
  default_value: null,
  options: null,
  settings: {},
  field_key: null,
  document_no: 1,
  areas: [area],
  anchor_match: null,
  prefilled: null,
  ...more,
});

const documentOf = (fields: readonly SentField[]) => ({
  prepared_sha256: "0".repeat(64),
  pages: [{ w_pt: 612, h_pt: 792 }],
  fields,
  documents: [],
  is_completed: false,
  stamped_sha256: null,
  signed_sha256: null,
  kba_required: false,
  is_finished: false,
});

test("the length of a signer's values in all places is limited, so that stamping always ends", () => {
  const text = "مرحبا ".repeat(330);
  const fields = Array.from({ length: 60 }, (_, position) => field(position, { areas: [area, area] }));
  const values = Object.fromEntries(fields.map(({ position }) => [`f${position}`, text]));
  const { steps } = fill({ ...NO_DRAFT, values }, { role: "Tenant" }, documentOf(fields), "2027-03-01");
  const refused = steps.filter(({ fault }) => fault !== null);
  expect(new Set(refused.map(({ fault }) => fault?.code))).toEqual(new Set(["does_not_fit"]));
  expect(steps.length - refused.length).toBe(Math.floor(MAX_DRAWN_CHARACTERS / (2 * text.length)));
});

test.each([
  ["2027-02-28T22:59:59Z", "Europe/Berlin", "2027-02-28"],
  ["2027-02-28T23:00:00Z", "Europe/Berlin", "2027-03-01"],
  ["2028-02-28T23:00:00Z", "Europe/Berlin", "2028-02-29"],
  ["2027-03-28T21:59:59Z", "Europe/Berlin", "2027-03-28"],
  ["2027-03-28T22:00:00Z", "Europe/Berlin", "2027-03-29"],
  ["2027-01-01T04:59:59Z", "America/New_York", "2026-12-31"],
  ["2027-01-01T05:00:00Z", "America/New_York", "2027-01-01"],
  ["2027-01-01T09:59:59Z", "Pacific/Kiritimati", "2027-01-01"],
  ["2027-01-01T10:00:00Z", "Pacific/Kiritimati", "2027-01-02"],
  ["2027-01-01T00:00:00Z", undefined, "2027-01-01"],
])("the day of signing at %s in %s is %s", (at, zone, day) => expect(dayIn(new Date(at), zone)).toBe(day));

test("linked radio buttons, one for each option, are places for the options and need no room for text", () => {
  const small = { page: 1, x: 0.1, y: 0.1, w: 0.02, h: 0.015 };
  const options = ["monthly", "yearly"];
  const radio = (position: number) => field(position, { name: "Pay", type: "radio", options, areas: [small] });
  const filled = (fields: readonly SentField[]) =>
    fill({ ...NO_DRAFT, values: { f0: "yearly" } }, { role: "Tenant" }, documentOf(fields), "2027-03-01");
  expect(filled([radio(0), radio(1)]).steps).toMatchObject([{ value: "yearly", fault: null }]);
  expect(filled([radio(0)]).steps).toMatchObject([{ fault: { code: "does_not_fit" } }]);
});
