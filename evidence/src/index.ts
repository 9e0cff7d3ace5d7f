export { canonicalize, type Json, NotCanonical, parseCanonical } from "./canonical.ts";
export { type Appended, commitmentOf, genesis, hashOf, nextEntry } from "./chain.ts";
export { hashOfState, hashOfValues, type StandingValue } from "./document-state.ts";
export type { Act, Actor, Entry, EntryData, Head } from "./entry.ts";
export { type Expected, type Fault, type FaultKind, firstFault, type Link } from "./verify-chain.ts";
