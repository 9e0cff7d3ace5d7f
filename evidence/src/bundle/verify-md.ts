/** Instructions in every bundle for readers who open it years later, with or without our program. */
export const VERIFY_MD = `# How to verify this without us

\`countersign-verify <this bundle> --root <sha256>\` needs no network and no server. The root's SHA-256 is printed on the certificate
and published at /.well-known/countersign-trust.json of the installation; take it from a place other than this bundle.
Without \`--root\` the answer is at best CONSISTENT, SIGNER NOT PINNED: whoever made this bundle could have made its keys too.

The same by hand, with openssl and any SHA-256 tool. JSON files are canonical (RFC 8785, integers only); hashes are lower-case hex.

1. manifest.json lists every other file with size and SHA-256. manifest.sig is a raw Ed25519 signature (64 bytes) over its bytes, by the
   key of trust/keys.json that it names.
2. trust/keys.sig is the root's ECDSA P-256 signature over trust/keys.json: r and s, 32 bytes each.
   \`openssl x509 -in trust/root.crt -outform DER | sha256sum\` gives the root's SHA-256.
3. chain.jsonl holds the entries. For each: commitment = SHA256("countersign/data/1\\n" ‖ salt ‖ JCS(data)),
   hash = SHA256("countersign/entry/1\\n" ‖ JCS(entry without hash)), prev = the hash before;
   the first prev = SHA256("countersign/genesis/1\\n" ‖ org_id ‖ "\\n" ‖ subject).
4. proofs.json ties each entry to the root in checkpoints/latest.json, and that one to checkpoints/vaulted.json (RFC 9162, section 2.1;
   leaf = SHA256(0x00 ‖ hash)). Both are signed with raw Ed25519.
5. checkpoints/vaulted.tst, where it is there: \`openssl ts -verify -token_in -in checkpoints/vaulted.tst -data checkpoints/vaulted.json
   -CAfile <the authority's roots>\`. Where it is not, the time is that of the installation's own clock.
6. copy.pdf hashes to a copy.issued entry, authoritative.pdf to vault.stored; certificate.pdf, compliance.json and facts.json to
   vault.certificate.issued. Any PDF reader shows the seals; the root is not in its list.

This bundle reports facts recorded by the system. It is not a legal opinion.
`;
