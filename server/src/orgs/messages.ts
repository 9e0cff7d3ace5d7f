/** The words of this feature's mail. */
export interface Words {
  readonly subject: string;
  readonly text: string;
}

export function invitationMail(org_name: string, url: string): Words {
  return {
    subject: `You are invited to ${oneLine(org_name)} on Countersign`,
    text: `You have been invited to join ${oneLine(org_name)} on Countersign.\n\nAccept within 7 days:\n${url}\n\nIf you did not expect this, do nothing.\n`,
  };
}

export function passwordResetMail(url: string): Words {
  return {
    subject: "Reset your Countersign password",
    text: `Somebody asked to reset the password of this address.\n\nChoose a new one within 1 hour:\n${url}\n\nIf it was not you, do nothing: your password stays as it is.\n`,
  };
}

/** An org's name is free text; in a header it must not begin a line of its own. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
