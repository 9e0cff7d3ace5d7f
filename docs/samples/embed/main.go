// A page with a document to sign, and the backend that it needs.
//
//	COUNTERSIGN_URL=https://sign.example.com COUNTERSIGN_API_KEY=lk_… ENVELOPE_ID=env_… SIGNER_EMAIL=ann@example.com PORT=4100 go run main.go
//
// The key has the scope esign:write, and stays in this program.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"
)

var api = os.Getenv("COUNTERSIGN_URL") + "/api/v2"

// embedURL opens one document for one person, for 15 minutes. After 429 it waits as Retry-After says, nine times at most.
func embedURL() (string, error) {
	// Your backend takes the envelope and the person from its own session, never from the request of the browser.
	body, err := json.Marshal(map[string]string{
		"envelope_id": os.Getenv("ENVELOPE_ID"), "user_email": os.Getenv("SIGNER_EMAIL"), "widget_type": "sign",
	})
	if err != nil {
		return "", err
	}
	for attempt := 1; ; attempt++ {
		request, err := http.NewRequest("POST", api+"/embed/token", bytes.NewReader(body))
		if err != nil {
			return "", err
		}
		request.Header.Set("X-API-Key", os.Getenv("COUNTERSIGN_API_KEY"))
		request.Header.Set("Content-Type", "application/json")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return "", err
		}
		answer, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			return "", err
		}
		if attempt < 10 && response.StatusCode == 429 {
			seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
			if err != nil {
				return "", err
			}
			time.Sleep(time.Duration(seconds) * time.Second)
			continue
		}
		if response.StatusCode >= 400 {
			return "", fmt.Errorf("%d %s %s", response.StatusCode, response.Header.Get("X-Error-Code"), answer)
		}
		var parsed struct {
			Data struct {
				EmbedURL string `json:"embed_url"`
			}
		}
		err = json.Unmarshal(answer, &parsed)
		return parsed.Data.EmbedURL, err
	}
}

const page = `<!doctype html>
<html lang="en">
<title>Sign</title>
<script type="module" src="%s/embed.js"></script>
<countersign-sign src="%s" renew-url="/embed-url"></countersign-sign>
</html>`

func main() {
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if r.Method != "GET" || r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		url, err := embedURL()
		if err != nil {
			log.Print(err)
			http.Error(w, "no document to sign", http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		fmt.Fprintf(w, page, os.Getenv("COUNTERSIGN_URL"), url)
	})
	http.HandleFunc("/embed-url", func(w http.ResponseWriter, r *http.Request) {
		// Browsers set this header, and other sites cannot change it.
		if r.Method != "POST" || r.Header.Get("Sec-Fetch-Site") != "same-origin" {
			http.Error(w, "refused", http.StatusForbidden)
			return
		}
		url, err := embedURL()
		if err != nil {
			log.Print(err)
			http.Error(w, "no document to sign", http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		json.NewEncoder(w).Encode(map[string]string{"embed_url": url})
	})
	fmt.Println("http://localhost:" + os.Getenv("PORT"))
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
