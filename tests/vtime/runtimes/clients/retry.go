// net/http and time.Sleep. Built twice: with and without the C library.
package main

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const body = `{"model":"m","max_tokens":64,"stream":true,` +
	`"messages":[{"role":"user","content":"hello"}]}`
const tries = 4
const readTimeout = 300 * time.Second

func wait(number int, headers http.Header) time.Duration {
	seconds := math.Pow(2, float64(number-1))
	if asked := headers.Get("retry-after"); asked != "" {
		seconds, _ = strconv.ParseFloat(asked, 64)
	} else if reset := headers.Get("anthropic-ratelimit-unified-reset"); reset != "" {
		at, _ := strconv.ParseInt(reset, 10, 64)
		seconds = time.Until(time.Unix(at, 0)).Seconds()
	}
	fmt.Printf("wait %.6f\n", seconds)
	return time.Duration(seconds * float64(time.Second))
}

// Reads the stream; an idle timer cancels it.
func read(answer *http.Response, cancel context.CancelFunc) (int, error) {
	idle := time.AfterFunc(readTimeout, cancel)
	defer idle.Stop()
	events := 0
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() {
		idle.Reset(readTimeout)
		if strings.HasPrefix(lines.Text(), "data:") {
			events++
		}
	}
	return events, lines.Err()
}

func try(number int) (done bool, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, "POST",
		os.Getenv("ANTHROPIC_BASE_URL")+"/v1/messages",
		strings.NewReader(body))
	if err != nil {
		return false, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return false, err
	}
	defer answer.Body.Close()
	if answer.StatusCode == 200 {
		events, err := read(answer, cancel)
		fmt.Println(events, "events")
		return true, err
	}
	time.Sleep(wait(number, answer.Header))
	return false, nil
}

func main() {
	for number := 1; number <= tries; number++ {
		done, err := try(number)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if done {
			return
		}
	}
	os.Exit(1)
}
