export const transparency = {
  origin: "sign.example.com/log/9f2c4e8a1b3d5f70",
  vkeys: ["sign.example.com/log/9f2c4e8a1b3d5f70+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"],
  address: "https://sign.example.com/log",
  public: true,
  latest: {
    tree_size: 70412,
    root: "0ac5186a91863e8e1d90c808014aa89bf5da8e3ee1d9f07630f0378f68f1ab62",
    at: "2026-01-05T09:30:00.000Z",
    note: null,
  },
  quorum: 1,
  witnesses: [
    {
      name: "witness.example/w1",
      vkey: "witness.example/w1+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2",
      address: "https://witness.example",
      cosigned: { tree_size: 70398, at: "2026-01-05T09:27:00.000Z" },
      last_error: null,
    },
  ],
  conflicts: [],
  restarts: [],
  warnings: [],
};
