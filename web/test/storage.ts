// Node has no localStorage. Pages that read what the browser keeps find nothing here, in whatever order the test files run.
Object.defineProperty(globalThis, "localStorage", {
  configurable: true,
  value: { getItem: () => null, setItem: () => undefined, removeItem: () => undefined },
});
