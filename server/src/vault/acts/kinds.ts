import type { RecordKind } from "./act.ts";
import type { Kind } from "./kind.ts";
import { assign, correctParty, designate, release } from "./kinds/assignees.ts";
import { acknowledgeControl, designateCustodian, moveCustody } from "./kinds/custody.ts";
import { destroy, paperOut } from "./kinds/ends.ts";
import { exportOut } from "./kinds/export.ts";
import { releaseOfHold } from "./kinds/hold.ts";
import { recover } from "./kinds/recover.ts";
import { participate, pledge, releaseOfPledge } from "./kinds/shares.ts";
import { transferOut } from "./kinds/transfer.ts";

/** The rules of every kind of act on a record. A change of a party's people is not about a record: change-people.ts. */
export const kinds = {
  designate,
  correct_party: correctParty,
  assign,
  release,
  participate,
  pledge,
  release_pledge: releaseOfPledge,
  designate_custodian: designateCustodian,
  move_custody: moveCustody,
  acknowledge_control: acknowledgeControl,
  release_hold: releaseOfHold,
  transfer_out: transferOut,
  export_out: exportOut,
  paper_out: paperOut,
  destroy,
  recover,
} as const satisfies Readonly<Record<RecordKind, Kind>>;

export const recordKinds = Object.keys(kinds) as readonly (keyof typeof kinds)[];
export type { RecordKind } from "./act.ts";
