/** Instructions in every bundle for readers who open it years later, with or without our program. */
export const VERIFY_MD = `# How to verify this without us

\`countersign-verify <this bundle> --root <sha256>\` needs no network and no server. The root's SHA-256 is printed on the certificate
and published at /.well-known/countersign-trust.json of the installation; take it from a place other than this bundle.
Without \`--root\` the answer is at best CONSISTENT, SIGNER NOT PINNED: a person who forges a bundle can make its keys too.

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

/**
 * The instructions of a bundle of the second form. `verifier` is the first version of countersign-verify that reads it.
 * @example writeVerifyMd("0.2.0")
 */
export const writeVerifyMd = (verifier: string): string => `# How to verify this without us

\`countersign-verify <this bundle> --root <sha256>\`, version ${verifier} or newer, or the one that the installation that made this
bundle serves at /verify/, needs no network and no server. The same verifier is a page, verify.html: save it, open it in a browser without
a network, and drop this bundle on it.
The root's SHA-256 is printed on the certificate and published at /.well-known/countersign-trust.json of the installation. Take it from a
place other than this bundle. Without it the answer is at best CONSISTENT, SIGNER NOT PINNED: the maker of this bundle could have made its
keys too.

The same by hand, with openssl 3 and any SHA-256 tool. JSON files are canonical (RFC 8785, integers only); hashes are lower-case hex.

1. The root. Compare this hash with the one that you know:

       openssl x509 -in trust/root.crt -outform DER | sha256sum

   trust/keys.sig is the root's ECDSA P-256 signature over trust/keys.json: r and s, 32 bytes each.

2. The key of the records. trust/keys.json lists keys under "records", each with its key_id and its public_key: SPKI in hex. Take the one
   that manifest.json names as key_id:

       printf %s <public_key> | xxd -r -p | openssl pkey -pubin -inform DER -out records.pem

3. The manifest. It lists every other file with its size, SHA-256 and SHA-512:

       openssl pkeyutl -verify -pubin -inkey records.pem -rawin -in manifest.json -sigfile manifest.sig

4. The entries. chain.jsonl holds one a line. For each: commitment = SHA256("countersign/data/1\\n" ‖ salt ‖ JCS(data)),
   hash = SHA256("countersign/entry/1\\n" ‖ JCS(entry without hash)), prev = the hash before;
   the first prev = SHA256("countersign/genesis/1\\n" ‖ org_id ‖ "\\n" ‖ subject).

5. The log. proofs.json ties each entry to the root in checkpoints/latest.json, and that one to checkpoints/vaulted.json (RFC 9162, section
   2.1; leaf = SHA256(0x00 ‖ hash)). Each is signed like the manifest, with the key under "records" that its own key_id names:

       openssl pkeyutl -verify -pubin -inkey records.pem -rawin -in checkpoints/latest.json -sigfile checkpoints/latest.sig

6. The notes. checkpoints/latest.note says the same as the checkpoint in the form that witnesses sign (C2SP signed-note): the name of the log,
   its size, its root in Base64, an empty line, and a line for each signature. Make log.pem as in step 2, from the
   last key under "log" that was in use then. The first signature is that of the log, over the first three lines; 4 bytes that name the
   key precede it:

       head -n 3 checkpoints/latest.note > note.txt
       sed -n 5p checkpoints/latest.note | cut -d ' ' -f 3 | base64 -d | tail -c 64 > note.sig
       openssl pkeyutl -verify -pubin -inkey log.pem -rawin -in note.txt -sigfile note.sig

   Notes that witnesses cosigned are in renewals/, with a line for each witness (C2SP tlog-cosignature); their keys are in
   trust/witnesses.json. The proof.json beside a note shows that its tree extends checkpoints/vaulted.json.

7. The time. Where there is checkpoints/vaulted.tst, with the roots of the time-stamp authority from a source of your own:

       openssl ts -verify -token_in -in checkpoints/vaulted.tst -data checkpoints/vaulted.json -CAfile roots.pem

   Later time stamps are in renewals/: each token.tst is over the checkpoint.json beside it. Where there is neither a time stamp nor a
   cosigned note, the time is that of the installation's own clock.

8. The documents. copy.pdf hashes to a copy.issued entry, authoritative.pdf to vault.stored; certificate.pdf, compliance.json and facts.json
   in certificates/r<n>/ to the vault.certificate.issued entry of revision n. Any PDF reader shows the seals; the root is not in its list.

This bundle reports facts recorded by the system. It is not a legal opinion.
`;
