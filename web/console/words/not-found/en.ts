/** The words for an address without a screen. A table of another language must have the same members. */
export const en = {
  title: "Page not found",
  lead: "The address is wrong, what it points to no longer exists, or your role does not include it.",
  toHome: "Go to Home",
  toVault: "Go to the vaulted documents",
};
