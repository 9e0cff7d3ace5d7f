import { AsyncLocalStorage } from "node:async_hooks";

const requests = new AsyncLocalStorage<true>();

/** Runs what answers a request of a client, which can be told to try again later; jobs and commands cannot. */
export const asRequest = <T>(run: () => T): T => requests.run(true, run);

export const isRequest = (): boolean => requests.getStore() === true;
