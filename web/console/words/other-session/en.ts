/** The words of the dialog about a session that changed in another tab. A table of another language must have the same members. */
export const en = {
  otherUser: {
    title: (name: string) => `You are now logged in as ${name}`,
    text: (name: string, was: string) =>
      `You logged in as ${name} in another tab. This tab still belongs to ${was}. Nothing was sent from it.`,
    follow: (name: string) => `Continue as ${name}`,
  },
  otherOrg: {
    title: (name: string) => `You switched to ${name}`,
    text: (was: string) => `You switched organizations in another tab. This tab is still in ${was}. Nothing was sent from it.`,
    stay: (was: string) => `Stay in ${was}`,
    follow: (name: string) => `Switch to ${name}`,
  },
};
export type Words = typeof en;
