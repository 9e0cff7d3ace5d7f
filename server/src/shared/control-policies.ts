/**
 * Who must agree when the control of a vaulted record changes. `attested`: a party without an approver is not asked. `confirmed`: an act
 * needs everyone concerned.
 */
export const controlPolicies = ["attested", "confirmed"] as const;
export type ControlPolicy = (typeof controlPolicies)[number];
