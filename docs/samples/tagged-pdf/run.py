# Sends a PDF with tags once, without a template, and prints the fields that its tags became.
#   COUNTERSIGN_URL=https://sign.example.com COUNTERSIGN_API_KEY=lk_… python3 run.py
# The key has the scopes envelopes:read and envelopes:write.
# lease.pdf is a download of the service: /docs/downloads/lease.pdf
import os
import pathlib

from countersign import Countersign

# The client waits after 429 as Retry-After says.
cs = Countersign(os.environ.get("COUNTERSIGN_URL", "http://localhost:3000"), api_key=os.environ["COUNTERSIGN_API_KEY"])

envelope = cs.envelopes.create({"envelope_name": "Lease", "customer_name": "Ann", "customer_email": "ann@example.com"})
envelope_id = envelope["envelope_id"]
cs.envelopes.document.attach(envelope_id, {"file": pathlib.Path("lease.pdf")})

# Each tag has become a field.
for field in cs.envelopes.fields.get(envelope_id)["fields"]:
    print(f"{field['role']}: {field['type']}, {field['name']}")

signers = [
    {"email": "ann@example.com", "name": "Ann", "role": "Tenant"},
    {"email": "sam@example.com", "name": "Sam", "role": "Landlord"},
]
cs.envelopes.send(envelope_id, {"signers": signers})
print(f"{envelope_id} was sent")
