// Makes a template from a PDF without tags, places fields next to its words, and sends it with values that are filled in.
//
//	COUNTERSIGN_URL=https://sign.example.com COUNTERSIGN_API_KEY=lk_… go run main.go
//
// The key has the scope envelopes:write.
// note.pdf is a download of the service: /docs/downloads/note.pdf
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
var run = fmt.Sprintf("template-prefilled-%d", time.Now().UnixNano())

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

// The sender fills in the first two fields, and the borrower cannot change them. The date can be changed.
const fields = `[
  {"name": "Borrower", "type": "text", "role": "Borrower", "settings": {"sender_fills": true},
   "placement": {"mode": "anchor", "anchor_text": "Borrower:", "offset_x": 0.15, "w": 0.4, "h": 0.02}},
  {"name": "Amount", "type": "number", "role": "Borrower", "settings": {"sender_fills": true, "places": 2, "unit": "EUR"},
   "placement": {"mode": "anchor", "anchor_text": "Amount:", "offset_x": 0.15, "w": 0.3, "h": 0.02}},
  {"name": "Due on", "type": "date", "role": "Borrower",
   "placement": {"mode": "anchor", "anchor_text": "Due on:", "offset_x": 0.15, "w": 0.3, "h": 0.02}},
  {"name": "Borrower signature", "type": "signature", "role": "Borrower", "required": true,
   "placement": {"mode": "anchor", "anchor_text": "Signature of the borrower:", "offset_x": 0.25, "w": 0.3, "h": 0.04}}
]`

func main() {
	template := upload("/partner/templates", "note.pdf", map[string]string{"name": "Promissory note", "fields_json": fields})
	fmt.Println(template["template_id"], "has its fields")

	envelope := post("/partner/envelopes", map[string]any{
		"envelope_name": "Promissory note 17", "customer_name": "Ann", "customer_email": "ann@example.com",
		"template_id": template["template_id"], "external_id": "loan-17",
		"prefilled_data": map[string]string{"Borrower": "Ann Example", "Amount": "12000", "Due on": "2027-12-31"},
	})
	post(fmt.Sprintf("/partner/envelopes/%s/send", envelope["envelope_id"]), map[string]any{
		"signers": []map[string]string{{"email": "ann@example.com", "name": "Ann", "role": "Borrower"}},
	})
	fmt.Println(envelope["envelope_id"], "was sent")
}
