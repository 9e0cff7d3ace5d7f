#!/usr/bin/env bash
# Downloads the copy, the certificate and the evidence of a vaulted envelope, and verifies the evidence offline.
#   COUNTERSIGN_URL=https://sign.example.com COUNTERSIGN_API_KEY=lk_… ENVELOPE_ID=env_… bash run.sh
# The key has the scope vault:read. countersign-verify.mjs is a download of the service; its options can follow, such as --root.
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
record="$api/partner/envelopes/$ENVELOPE_ID/vault"

value hash "$(call "$record")"

# Each download is recorded before its first byte is sent.
download() { curl -sS --fail --retry 3 -H "X-API-Key: $COUNTERSIGN_API_KEY" -o "$2" "$1"; }
download "$record/copy" copy.pdf
download "$record/certificate" certificate.pdf
download "$record/evidence" evidence.zip

# 0: verified. 3: nothing is wrong, but no --root was given. 5: a record of a sandbox. 1: do not rely on it.
outcome=0
node countersign-verify.mjs evidence.zip "$@" || outcome=$?
echo "exit code $outcome"
exit "$outcome"
