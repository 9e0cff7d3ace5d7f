// Sends a PDF with tags once, without a template, and prints the fields that its tags became.
//
//	COUNTERSIGN_URL=https://sign.example.com COUNTERSIGN_API_KEY=lk_… go run main.go
//
// The key has the scopes envelopes:read and envelopes:write.
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
var run = fmt.Sprintf("tagged-pdf-%d", time.Now().UnixNano())

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
	envelope := post("/partner/envelopes", map[string]any{
		"envelope_name": "Lease", "customer_name": "Ann", "customer_email": "ann@example.com",
	})
	path := fmt.Sprintf("/partner/envelopes/%s", envelope["envelope_id"])
	upload(path+"/upload", "lease.pdf", nil)

	// Each tag has become a field.
	for _, each := range data(call("GET", path+"/fields", "", nil))["fields"].([]any) {
		field := each.(map[string]any)
		fmt.Printf("%s: %s, %s\n", field["role"], field["type"], field["name"])
	}

	post(path+"/send", map[string]any{"signers": []map[string]string{
		{"email": "ann@example.com", "name": "Ann", "role": "Tenant"},
		{"email": "sam@example.com", "name": "Sam", "role": "Landlord"},
	}})
	fmt.Println(envelope["envelope_id"], "was sent")
}
