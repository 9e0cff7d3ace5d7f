/** Words of the account. A table of another language must have the same members. */
export const en = {
  developers: {
    title: "For developers",
    calls: "Show API calls",
    callsHint: "Lists and forms then have “Show as API call”. Saved in this browser.",
    notStored: "Your browser does not keep this choice. It ends when you close the page.",
  },
};
