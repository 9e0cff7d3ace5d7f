#!/usr/bin/env bash
# Makes a template from a PDF without tags, places fields next to its words, and sends it with values that are filled in.
#   COUNTERSIGN_URL=https://sign.example.com COUNTERSIGN_API_KEY=lk_… bash run.sh
# The key has the scope envelopes:write.
# note.pdf is a download of the service: /docs/downloads/note.pdf
set -euo pipefail
api="${COUNTERSIGN_URL:-http://localhost:3000}/api/v2"
run="template-prefilled-$(date +%s)-$$"

# After 429 and 503, curl waits as Retry-After says, and tries again.
call() {
  local answer
  answer=$(curl -sS --fail-with-body --retry 3 -H "X-API-Key: $COUNTERSIGN_API_KEY" "$@") || { echo "$answer" >&2; return 1; }
  echo "$answer"
}
post() { call "$api$1" -H 'Content-Type: application/json' -H "Idempotency-Key: $run$1" -d "$2"; }
# The first value with this name. For more than a sample, use jq.
value() { [[ $2 =~ \"$1\":\"([^\"]*)\" ]] && echo "${BASH_REMATCH[1]}"; }

# The sender fills in the first two fields, and the borrower cannot change them. The date can be changed.
fields='[
  {"name": "Borrower", "type": "text", "role": "Borrower", "settings": {"sender_fills": true},
   "placement": {"mode": "anchor", "anchor_text": "Borrower:", "offset_x": 0.15, "w": 0.4, "h": 0.02}},
  {"name": "Amount", "type": "number", "role": "Borrower", "settings": {"sender_fills": true, "places": 2, "unit": "EUR"},
   "placement": {"mode": "anchor", "anchor_text": "Amount:", "offset_x": 0.15, "w": 0.3, "h": 0.02}},
  {"name": "Due on", "type": "date", "role": "Borrower",
   "placement": {"mode": "anchor", "anchor_text": "Due on:", "offset_x": 0.15, "w": 0.3, "h": 0.02}},
  {"name": "Borrower signature", "type": "signature", "role": "Borrower", "required": true,
   "placement": {"mode": "anchor", "anchor_text": "Signature of the borrower:", "offset_x": 0.25, "w": 0.3, "h": 0.04}}
]'
template=$(value template_id "$(call "$api/partner/templates" -H "Idempotency-Key: $run" -F 'name=Promissory note' -F file=@note.pdf -F "fields_json=$fields")")
echo "$template has its fields"

envelope=$(value envelope_id "$(post /partner/envelopes '{
  "envelope_name": "Promissory note 17", "customer_name": "Ann", "customer_email": "ann@example.com",
  "template_id": "'"$template"'", "external_id": "loan-17",
  "prefilled_data": {"Borrower": "Ann Example", "Amount": "12000", "Due on": "2027-12-31"}
}')")
post "/partner/envelopes/$envelope/send" '{"signers": [{"email": "ann@example.com", "name": "Ann", "role": "Borrower"}]}' > /dev/null
echo "$envelope was sent"
