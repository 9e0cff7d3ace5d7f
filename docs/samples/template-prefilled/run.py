# Makes a template from a PDF without tags, places fields next to its words, and sends it with values that are filled in.
#   COUNTERSIGN_URL=https://sign.example.com COUNTERSIGN_API_KEY=lk_… python3 run.py
# The key has the scope envelopes:write.
# note.pdf is a download of the service: /docs/downloads/note.pdf
import os
import pathlib

from countersign import Countersign

# The client waits after 429 as Retry-After says.
cs = Countersign(os.environ.get("COUNTERSIGN_URL", "http://localhost:3000"), api_key=os.environ["COUNTERSIGN_API_KEY"])


def field(name, type, anchor_text, left=0.15, w=0.3, h=0.02, **more):
    placement = {"mode": "anchor", "anchor_text": anchor_text, "offset_x": left, "w": w, "h": h}
    return {"name": name, "type": type, "role": "Borrower", "placement": placement, **more}


# The sender fills in the first two fields, and the borrower cannot change them. The date can be changed.
fields = [
    field("Borrower", "text", "Borrower:", settings={"sender_fills": True}),
    field("Amount", "number", "Amount:", settings={"sender_fills": True, "places": 2, "unit": "EUR"}),
    field("Due on", "date", "Due on:"),
    field("Borrower signature", "signature", "Signature of the borrower:", left=0.25, h=0.04, required=True),
]
template = cs.templates.create({"name": "Promissory note", "file": pathlib.Path("note.pdf"), "fields_json": fields})
print(f"{template['template_id']} has its fields")

envelope = cs.envelopes.create(
    {
        "envelope_name": "Promissory note 17",
        "customer_name": "Ann",
        "customer_email": "ann@example.com",
        "template_id": template["template_id"],
        "external_id": "loan-17",
        "prefilled_data": {"Borrower": "Ann Example", "Amount": "12000", "Due on": "2027-12-31"},
    }
)
envelope_id = envelope["envelope_id"]
cs.envelopes.send(envelope_id, {"signers": [{"email": "ann@example.com", "name": "Ann", "role": "Borrower"}]})
print(f"{envelope_id} was sent")
