export const en = {
  queued: "Not sent yet. We keep trying, so you can wait.",
  sent: "No e-mail yet? It may be delayed. Look in your spam folder.",
  failed: "The e-mail could not be sent.",
  operator: "You can also ask the operator of this service to run:",
} as const;
export type Words = typeof en;
