#!/usr/bin/env bash
# Sends a PDF with tags once, without a template, and prints the fields that its tags became.
#   COUNTERSIGN_URL=https://sign.example.com COUNTERSIGN_API_KEY=lk_… bash run.sh
# The key has the scopes envelopes:read and envelopes:write.
# lease.pdf is a download of the service: /docs/downloads/lease.pdf
set -euo pipefail
api="${COUNTERSIGN_URL:-http://localhost:3000}/api/v2"
run="tagged-pdf-$(date +%s)-$$"

# After 429 and 503, curl waits as Retry-After says, and tries again.
call() {
  local answer
  answer=$(curl -sS --fail-with-body --retry 3 -H "X-API-Key: $COUNTERSIGN_API_KEY" "$@") || { echo "$answer" >&2; return 1; }
  echo "$answer"
}
post() { call "$api$1" -H 'Content-Type: application/json' -H "Idempotency-Key: $run$1" -d "$2"; }
# The first value with this name. For more than a sample, use jq.
value() { [[ $2 =~ \"$1\":\"([^\"]*)\" ]] && echo "${BASH_REMATCH[1]}"; }

envelope=$(value envelope_id "$(post /partner/envelopes '{
  "envelope_name": "Lease", "customer_name": "Ann", "customer_email": "ann@example.com"
}')")
call "$api/partner/envelopes/$envelope/upload" -H "Idempotency-Key: $run-upload" -F file=@lease.pdf > /dev/null

# Each tag has become a field: {"name":"Tenant signature","type":"signature","role":"Tenant", …}
call "$api/partner/envelopes/$envelope/fields" | grep -o '"name":"[^"]*","type":"[^"]*","role":"[^"]*"'

post "/partner/envelopes/$envelope/send" '{"signers": [
  {"email": "ann@example.com", "name": "Ann", "role": "Tenant"},
  {"email": "sam@example.com", "name": "Sam", "role": "Landlord"}
]}' > /dev/null
echo "$envelope was sent"
