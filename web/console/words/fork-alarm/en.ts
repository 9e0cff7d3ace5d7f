/** The words of the alarm about two histories of the log. Other languages have the type of this table, so a missing text does not compile. */
export const en = {
  forkAlarm: {
    theStateOf: "The state of the evidence log could not be loaded. ",
    openEvidenceLog: "Open evidence log",
    theWitnessRefused: (witness: string) => ` The witness ${witness} refused to cosign the evidence log on `,
    itSaysThat: ". It says that it has seen another history than this installation shows. ",
    forkAlarm: "Fork alarm.",
    seeWhatTo: "See what to do",
  },
};
