import { assignedAgain, here, lender, reassigned, testCases, uploads } from "../../../../fixtures/changes.ts";

testCases("secured_party", [
  { says: "No secured party is named on the envelope.", wish: { party: null } },
  { says: 'The secured party\'s name is a placeholder ("TBD").', wish: { party: { name: "TBD" } } },
  { says: 'The secured party\'s name is a placeholder ("?A").', wish: { party: { name: " ?A " } } },
  {
    says: "The assignee register does not match the envelope.",
    change: (facts) => {
      facts.envelope.secured_party = lender;
    },
  },
  {
    says: "The assignee register does not match the envelope.",
    change: (facts) => {
      facts.assignments = [];
    },
  },
  {
    says: "The assignee was changed without recorded consent (entry 21).",
    sources: here,
    wish: { acts: reassigned },
    change: assignedAgain,
  },
  {
    says: "The assignee was changed without recorded consent (entry 9).",
    sources: uploads,
    wish: { acts: reassigned },
    change: assignedAgain,
  },
]);
