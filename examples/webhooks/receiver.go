package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

type message struct {
	Type string         `json:"type"`
	Data map[string]any `json:"data"`
}

func verify(secret string, header http.Header, body []byte) (message, error) {
	var read message
	id, sentAt := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(sentAt, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return read, errors.New("too old")
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) == 0 {
		return read, errors.New("anybody could sign with an empty secret")
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + sentAt + "."))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	// While a secret is changed there are two signatures; either will do.
	for _, given := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(expected), []byte(given)) {
			return read, json.Unmarshal(body, &read)
		}
	}
	return read, errors.New("wrong signature")
}

func main() {
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		read, err := verify(os.Getenv("WEBHOOK_SECRET"), r.Header, body)
		if err != nil {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		log.Println(read.Type, read.Data["orderId"])
		w.WriteHeader(http.StatusNoContent)
	})
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	log.Fatal(http.ListenAndServe(os.Getenv("HOST")+":"+port, nil))
}
