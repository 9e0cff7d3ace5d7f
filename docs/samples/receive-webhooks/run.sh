#!/usr/bin/env bash
# Receives one delivery: verifies it over its exact bytes, and handles each event once. A web server runs this as a CGI program, with the
# headers in its environment and the body on its standard input. It needs openssl.
#   WEBHOOK_SECRET=whsec_…
set -euo pipefail

answer() { printf 'Status: %s\r\nContent-Type: text/plain\r\n\r\n%s\n' "$1" "$2"; exit; }

body=$(mktemp)
trap 'rm -f "$body"' EXIT
cat > "$body"
id="${HTTP_WEBHOOK_ID:-}" timestamp="${HTTP_WEBHOOK_TIMESTAMP:-}"

[[ $timestamp =~ ^[0-9]{1,12}$ ]] || answer 400 "webhook-timestamp is missing"
age=$(( $(date +%s) - 10#$timestamp ))
(( age <= 300 && age >= -300 )) || answer 400 "more than five minutes off"

# HMAC-SHA256 over id.timestamp.body. The key is the part of the secret after whsec_, decoded.
key=$(printf %s "${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -vtx1 | tr -d ' \n')
expected="v1,$({ printf '%s.%s.' "$id" "$timestamp"; cat "$body"; } | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)"

# The shell does not compare in constant time, so hashes are compared: how long that takes says nothing about the signature.
hash() { printf %s "$1" | sha256sum; }
isSigned=no
for signature in ${HTTP_WEBHOOK_SIGNATURE:-}; do
  [[ $(hash "$signature") == "$(hash "$expected")" ]] && isSigned=yes
done
[[ $isSigned == yes ]] || answer 400 "wrong signature"

# Deliveries arrive at least once. A real receiver keeps the ids in its database, together with what it does.
mkdir -p seen
mkdir "seen/$id" 2> /dev/null || answer 204 "seen before"
echo "$(date -u +%FT%TZ) $id $(cat "$body")" >> seen/events.log
answer 204 "received"
