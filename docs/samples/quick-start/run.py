# Sends a PDF with tags to two signers, signs for them in a sandbox, and downloads the sealed document.
#   COUNTERSIGN_URL=https://sign.example.com COUNTERSIGN_API_KEY=lk_… python3 run.py
# The key belongs to a sandbox and has the scopes envelopes:read, envelopes:write and esign:write.
# lease.pdf is a download of the service: /docs/downloads/lease.pdf
import os
import pathlib

from countersign import Countersign

# The client waits after 429 as Retry-After says, and while a document is not ready.
cs = Countersign(
    os.environ.get("COUNTERSIGN_URL", "http://localhost:3000"),
    api_key=os.environ["COUNTERSIGN_API_KEY"],
    max_retries=10,
)

template = cs.templates.create({"name": "Lease", "file": pathlib.Path("lease.pdf")})

envelope = cs.envelopes.create(
    {
        "envelope_name": "Lease",
        "customer_name": "Ann",
        "customer_email": "ann@example.com",
        "template_id": template["template_id"],
    }
)
envelope_id = envelope["envelope_id"]
signers = [
    {"email": "ann@example.com", "name": "Ann", "role": "Tenant"},
    {"email": "sam@example.com", "name": "Sam", "role": "Landlord"},
]
cs.envelopes.send(envelope_id, {"signers": signers})
print(f"{envelope_id} was sent")

# In a live organization, people sign with the links in their e-mails.
signed = cs.test.envelopes.sign(envelope_id, {"values": {"Tenant name": "Ann Example"}})
print(f"{envelope_id} is {signed['status']}")

cs.envelopes.document.get(envelope_id).save_to("lease-signed.pdf")
print("lease-signed.pdf is saved")
