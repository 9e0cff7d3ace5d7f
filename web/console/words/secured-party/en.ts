/** The words of the fields of a secured party. Other languages have the type of this table, so a missing text does not compile. */
export const en = {
  partyFields: {
    nameOfThe: "Name of the secured party",
    role: "Role",
    lender: "Lender",
    identifier: "Identifier",
    forExampleA: "For example a registration number",
    eMailAddress: "E-mail address",
    address: "Address",
  },
};
