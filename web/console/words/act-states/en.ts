/** The words of states of acts. Other languages have the type of this table, so a missing text does not compile. */
export const en = {
  shared: {
    twoAdmins: "Two admins of the organization",
    itTakesEffect: (names: readonly string[]) =>
      `It takes effect when ${names.join(" and ")} ${names.length === 1 ? "has" : "have"} confirmed.`,
    inEffect: (summary: string) => `In effect: ${summary}`,
    recorded: (summary: string) => `Recorded: ${summary}`,
    askTheParty: "Ask the party to confirm",
    correctTheSecured: "Correct the secured party",
    assignToAnother: "Assign to another party",
    releaseToAnother: "Release to another party",
    giveAParty: "Give a party a share",
    pledgeToA: "Pledge to a party",
    endAPledge: "End a pledge",
    designateTheCustodian: "Designate the custodian",
    moveCustodyTo: "Move custody to a member",
    acknowledgeControl: "Acknowledge control",
    releaseALegal: "Release a legal hold",
    transferToAnother: "Transfer to another vault",
    handTheOriginal: "Hand the original over to a recipient",
    replaceByPaper: "Replace by paper",
    destroyTheRecord: "Destroy the record",
    recoverFromAnother: "Recover from another vault",
    changeThePeople: "Change the people of a party",
  },
};
