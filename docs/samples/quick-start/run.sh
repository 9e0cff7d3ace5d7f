#!/usr/bin/env bash
# Sends a PDF with tags to two signers, signs for them in a sandbox, and downloads the sealed document.
#   COUNTERSIGN_URL=https://sign.example.com COUNTERSIGN_API_KEY=lk_… bash run.sh
# The key belongs to a sandbox and has the scopes envelopes:read, envelopes:write and esign:write.
# lease.pdf is a download of the service: /docs/downloads/lease.pdf
set -euo pipefail
api="${COUNTERSIGN_URL:-http://localhost:3000}/api/v2"
run="quick-start-$(date +%s)-$$"

# After 429 and 503, curl waits as Retry-After says, and tries again.
call() {
  local answer
  answer=$(curl -sS --fail-with-body --retry 3 -H "X-API-Key: $COUNTERSIGN_API_KEY" "$@") || { echo "$answer" >&2; return 1; }
  echo "$answer"
}
post() { call "$api$1" -H 'Content-Type: application/json' -H "Idempotency-Key: $run$1" -d "$2"; }
# The first value with this name. For more than a sample, use jq.
value() { [[ $2 =~ \"$1\":\"([^\"]*)\" ]] && echo "${BASH_REMATCH[1]}"; }

template=$(value template_id "$(call "$api/partner/templates" -H "Idempotency-Key: $run" -F name=Lease -F file=@lease.pdf)")

envelope=$(value envelope_id "$(post /partner/envelopes '{
  "envelope_name": "Lease", "customer_name": "Ann", "customer_email": "ann@example.com", "template_id": "'"$template"'"
}')")
post "/partner/envelopes/$envelope/send" '{"signers": [
  {"email": "ann@example.com", "name": "Ann", "role": "Tenant"},
  {"email": "sam@example.com", "name": "Sam", "role": "Landlord"}
]}' > /dev/null
echo "$envelope was sent"

# In a live organization, people sign with the links in their e-mails.
signed=$(post "/test/envelopes/$envelope/sign" '{"values": {"Tenant name": "Ann Example"}}')
echo "$envelope is $(value status "$signed")"

# The sealed document is ready a second or two after the last signature; until then the response is 409 with Retry-After.
curl -sS --fail --retry 10 --retry-all-errors -H "X-API-Key: $COUNTERSIGN_API_KEY" -o lease-signed.pdf "$api/partner/envelopes/$envelope/document"
echo "lease-signed.pdf has $(wc -c < lease-signed.pdf) bytes"
