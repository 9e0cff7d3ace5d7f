// Sends a PDF with tags to two signers, signs for them in a sandbox, and downloads the sealed document.
//
//	COUNTERSIGN_URL=https://sign.example.com COUNTERSIGN_API_KEY=lk_… go run main.go
//
// The key belongs to a sandbox and has the scopes envelopes:read, envelopes:write and esign:write.
// lease.pdf is a download of the service: /docs/downloads/lease.pdf
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"mime/multipart"
	"net/http"
	"os"
	"strconv"
	"time"
)

var api = os.Getenv("COUNTERSIGN_URL") + "/api/v2"
var run = fmt.Sprintf("quick-start-%d", time.Now().UnixNano())

// call sends a request and returns the body of its response. After 429, and while a document is not ready, it waits as Retry-After says, nine times at most.
func call(method, path, contentType string, body []byte) []byte {
	for attempt := 1; ; attempt++ {
		request, err := http.NewRequest(method, api+path, bytes.NewReader(body))
		check(err)
		request.Header.Set("X-API-Key", os.Getenv("COUNTERSIGN_API_KEY"))
		if method == "POST" {
			request.Header.Set("Content-Type", contentType)
			request.Header.Set("Idempotency-Key", run+path)
		}
		response, err := http.DefaultClient.Do(request)
		check(err)
		answer, err := io.ReadAll(response.Body)
		check(err)
		response.Body.Close()
		code := response.Header.Get("X-Error-Code")
		if attempt < 10 && (response.StatusCode == 429 || code == "document_not_ready") {
			seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
			check(err)
			time.Sleep(time.Duration(seconds) * time.Second)
			continue
		}
		if response.StatusCode >= 400 {
			log.Fatalf("%s %s: %d %s %s", method, path, response.StatusCode, code, answer)
		}
		return answer
	}
}

func post(path string, body any) map[string]any {
	encoded, err := json.Marshal(body)
	check(err)
	return data(call("POST", path, "application/json", encoded))
}

func upload(path, file string, fields map[string]string) map[string]any {
	content, err := os.ReadFile(file)
	check(err)
	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	for name, value := range fields {
		check(writer.WriteField(name, value))
	}
	part, err := writer.CreateFormFile("file", file)
	check(err)
	_, err = part.Write(content)
	check(err)
	check(writer.Close())
	return data(call("POST", path, writer.FormDataContentType(), form.Bytes()))
}

func data(answer []byte) map[string]any {
	var parsed struct{ Data map[string]any }
	check(json.Unmarshal(answer, &parsed))
	return parsed.Data
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	template := upload("/partner/templates", "lease.pdf", map[string]string{"name": "Lease"})

	envelope := post("/partner/envelopes", map[string]any{
		"envelope_name": "Lease", "customer_name": "Ann", "customer_email": "ann@example.com",
		"template_id": template["template_id"],
	})
	path := fmt.Sprintf("/partner/envelopes/%s", envelope["envelope_id"])
	post(path+"/send", map[string]any{"signers": []map[string]string{
		{"email": "ann@example.com", "name": "Ann", "role": "Tenant"},
		{"email": "sam@example.com", "name": "Sam", "role": "Landlord"},
	}})
	fmt.Println(envelope["envelope_id"], "was sent")

	// In a live organization, people sign with the links in their e-mails.
	signed := post(fmt.Sprintf("/test/envelopes/%s/sign", envelope["envelope_id"]), map[string]any{
		"values": map[string]any{"Tenant name": "Ann Example"},
	})
	fmt.Println(envelope["envelope_id"], "is", signed["status"])

	document := call("GET", path+"/document", "", nil)
	check(os.WriteFile("lease-signed.pdf", document, 0o644))
	fmt.Println("lease-signed.pdf has", len(document), "bytes")
}
