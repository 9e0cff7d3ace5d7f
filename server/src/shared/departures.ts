/** False while the installation is held: then it sends no mail and no request to another system. */
export type MayLeave = () => Promise<boolean>;

/** For requests without which no one could work on a held installation: single sign-on, key services, signers. */
export const alwaysLeaves: MayLeave = async () => true;
