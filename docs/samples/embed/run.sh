#!/usr/bin/env bash
# A page with a document to sign, and the backend that it needs.
#   COUNTERSIGN_URL=https://sign.example.com COUNTERSIGN_API_KEY=lk_… ENVELOPE_ID=env_… SIGNER_EMAIL=ann@example.com PORT=4100 bash run.sh > index.html
# The key has the scope esign:write, and stays in this program.
set -euo pipefail
api="${COUNTERSIGN_URL:-http://localhost:3000}/api/v2"

# After 429 and 503, curl waits as Retry-After says, and tries again.
call() {
  local answer
  answer=$(curl -sS --fail-with-body --retry 3 -H "X-API-Key: $COUNTERSIGN_API_KEY" "$@") || { echo "$answer" >&2; return 1; }
  echo "$answer"
}
# The first value with this name. For more than a sample, use jq.
value() { [[ $2 =~ \"$1\":\"([^\"]*)\" ]] && echo "${BASH_REMATCH[1]}"; }

# Your backend takes the envelope and the person from its own session, never from the request of the browser.
embed_url() {
  value embed_url "$(call "$api/embed/token" -H 'Content-Type: application/json' \
    -d '{"envelope_id": "'"$ENVELOPE_ID"'", "user_email": "'"$SIGNER_EMAIL"'", "widget_type": "sign"}')"
}

# A page for one visit. The backends in the other languages also renew the token, which ends after 15 minutes.
cat << PAGE
<!doctype html>
<html lang="en">
<title>Sign</title>
<script type="module" src="${COUNTERSIGN_URL:-http://localhost:3000}/embed.js"></script>
<countersign-sign src="$(embed_url)"></countersign-sign>
</html>
PAGE
