package bridge

import (
	"crypto/subtle"
	"net/http"
	"net/url"
)

// cookie holds the token after the first request.
const cookie = "turnwatch_bridge"

// guard lets in who names the right host, comes from no other origin and holds
// the token. A token in the address becomes a cookie, so that it stands in no
// address any more.
func (b *Bridge) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		if r.Host != b.Host() || !b.own(r.Header.Get("Origin")) || r.Header.Get("Sec-Fetch-Site") == "cross-site" {
			http.Error(w, "not from here", http.StatusForbidden)
			return
		}
		if r.Method == http.MethodGet && b.right(r.URL.Query().Get("token")) {
			http.SetCookie(w, &http.Cookie{
				Name: cookie, Value: b.token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
			})
			http.Redirect(w, r, (&url.URL{Path: r.URL.Path}).String(), http.StatusSeeOther)
			return
		}
		c, err := r.Cookie(cookie)
		if b.right(r.Header.Get("X-Bridge-Token")) || err == nil && b.right(c.Value) {
			next.ServeHTTP(w, r)
			return
		}
		http.Error(w, "no token", http.StatusUnauthorized)
	})
}

// own tells whether an Origin header names this server; a request without one is
// a plain visit.
func (b *Bridge) own(origin string) bool { return origin == "" || origin == "http://"+b.Host() }

func (b *Bridge) right(token string) bool {
	return subtle.ConstantTimeCompare([]byte(token), []byte(b.token)) == 1
}
