// Receives webhooks: verifies each delivery over its exact bytes, and handles each event once.
//
//	WEBHOOK_SECRET=whsec_… PORT=4000 go run main.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// verify checks the signature over id.timestamp.body. The key is the part of the secret after whsec_, decoded.
func verify(header http.Header, body []byte) error {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseUint(timestamp, 10, 40)
	if err != nil {
		return errors.New("webhook-timestamp is missing")
	}
	if age := time.Since(time.Unix(int64(seconds), 0)); age > 5*time.Minute || age < -5*time.Minute {
		return errors.New("more than five minutes off")
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_"))
	if err != nil {
		return err
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := mac.Sum(nil)
	// There are two signatures while a secret is being rotated. One match is enough.
	for _, signature := range strings.Fields(header.Get("webhook-signature")) {
		given, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(signature, "v1,"))
		if err == nil && hmac.Equal(given, expected) {
			return nil
		}
	}
	return errors.New("wrong signature")
}

// Deliveries arrive at least once. A real receiver keeps the ids in its database, together with what it does.
var seen sync.Map

func receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = verify(r.Header, body)
	}
	var event struct {
		Type string `json:"event_type"`
		ID   string `json:"event_id"`
	}
	if err == nil {
		err = json.Unmarshal(body, &event)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if _, isKnown := seen.LoadOrStore(event.ID, true); !isKnown {
		fmt.Println(event.Type, event.ID)
	}
	w.WriteHeader(http.StatusNoContent)
}

func main() {
	http.HandleFunc("/", receive)
	fmt.Println("http://localhost:" + os.Getenv("PORT"))
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
