import type { ComplianceCheck } from "@countersign/client/types";
import type { ShownCheck } from "../checks/checks-list.tsx";
import { Link } from "../link.tsx";
import { may } from "../session.ts";
import { en } from "../words/vault/en.ts";
import type { RecordProps } from "./record-props.ts";

const w = en.fixes;

interface Fix {
  readonly words: string;
  /** another screen, or what comes after the `?` of the record's */
  readonly to: string;
}

/** What the console can do about a check that is not proven, as links to the place where it is done. */
export function Fixes({ check, ...it }: RecordProps & { readonly check: ShownCheck }) {
  const fixes = may("vault:write") && it.copy.state === "active" ? fixesOf(check, it) : [];
  if (fixes.length === 0) return null;
  return (
    <div class="buttons">
      {fixes.map(({ words, to }) => (
        <Link key={words} to={to.startsWith("/") ? to : `/vault/${it.envelope_id}?${to}`} class="button">
          {words}
        </Link>
      ))}
    </div>
  );
}

type Finder = (it: RecordProps, check: ShownCheck) => readonly Fix[];

const finders: Partial<Record<ComplianceCheck, Finder>> = {
  custodian: ({ copy, people }, { state }) => {
    const isMember = people.all.some(({ user_id }) => user_id === copy.custodian?.user_id);
    if (state === "not_shown") return isMember ? [] : [{ words: w.moveCustody, to: "tab=control&propose=move_custody" }];
    if (copy.control.controller === null) return [];
    return [{ words: w.askTheParty, to: "tab=control&propose=designate_custodian" }];
  },
  secured_party: ({ copy }, { state }) => {
    const { controller } = copy.control;
    // A form of its own names the first one.
    if (controller === null) return [];
    const correct = { words: w.correctTheSecured, to: "tab=control&propose=correct_party" };
    if (state === "not_shown") return [correct];
    if (controller.confirmation === "confirmed") return [];
    // A party that is known by its name alone has no one to ask.
    if (controller.party_id === null) return [correct];
    return [{ words: w.askThePartyTo, to: "tab=control&propose=designate" }];
  },
  audit_trail: () => [{ words: w.openEvidenceLog, to: "/evidence-log" }],
  copies_and_retention: (_it, { state }) => (state === "not_shown" ? [{ words: w.extendRetention, to: "tab=record" }] : []),
};

const fixesOf = (check: ShownCheck, it: RecordProps): readonly Fix[] => finders[check.id]?.(it, check) ?? [];
