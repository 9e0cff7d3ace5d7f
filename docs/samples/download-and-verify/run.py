# Downloads the copy, the certificate and the evidence of a vaulted envelope, and verifies the evidence offline.
#   COUNTERSIGN_URL=https://sign.example.com COUNTERSIGN_API_KEY=lk_… ENVELOPE_ID=env_… python3 run.py
# The key has the scope vault:read. countersign-verify.mjs is a download of the service; its options can follow, such as --root.
import os
import subprocess
import sys

from countersign import Countersign

# The client waits after 429 as Retry-After says.
cs = Countersign(os.environ.get("COUNTERSIGN_URL", "http://localhost:3000"), api_key=os.environ["COUNTERSIGN_API_KEY"])
envelope_id = os.environ["ENVELOPE_ID"]

print(cs.vault.get(envelope_id)["hash"])

# Each download is recorded before its first byte is sent.
cs.vault.copy.get(envelope_id).save_to("copy.pdf")
cs.compliance.certificate.get(envelope_id).save_to("certificate.pdf")
cs.vault.evidence.get(envelope_id).save_to("evidence.zip")

# 0: verified. 3: nothing is wrong, but no --root was given. 5: a record of a sandbox. 1: do not rely on it.
sys.stdout.flush()
outcome = subprocess.call(["node", "countersign-verify.mjs", "evidence.zip", *sys.argv[1:]])
print(f"exit code {outcome}")
sys.exit(outcome)
