// Package bom writes the software bill of materials: every module in go.mod and
// every package in npm's lock file, as CycloneDX 1.5 in JSON. It is pure.
package bom

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Part is a module or a package.
type Part struct {
	Name      string
	Version   string
	From      string // "go" or "npm"
	Path      string // of an npm package, as the lock file has it: there may be several of one name
	Inside    bool   // it is in what users get; otherwise only building or testing needs it
	Licence   string // SPDX expression; "" where unknown
	Integrity string // of npm, such as "sha512-…"
	GoSum     string // of go.sum, such as "h1:…"
}

// Product is what the bill is for.
type Product struct {
	Name, Version, Licence string
	Time                   time.Time // when it counts as made
}

type document struct {
	Format     string      `json:"bomFormat"`
	Spec       string      `json:"specVersion"`
	Serial     string      `json:"serialNumber"`
	Version    int         `json:"version"`
	Metadata   metadata    `json:"metadata"`
	Components []component `json:"components"`
}

type metadata struct {
	Time      string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	Scope      string     `json:"scope,omitempty"`
	Hashes     []hash     `json:"hashes,omitempty"`
	Licences   []licence  `json:"licenses,omitempty"`
	URL        string     `json:"purl,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type licence struct {
	Expression string `json:"expression"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Write makes the bill. The same parts, in whatever order, give the same bytes.
func Write(p Product, parts []Part) ([]byte, error) {
	d := document{Format: "CycloneDX", Spec: "1.5", Version: 1}
	d.Metadata.Time = p.Time.UTC().Format(time.RFC3339)
	d.Metadata.Component = component{
		Type: "application", Ref: p.Name + "@" + p.Version, Name: p.Name, Version: p.Version, Licences: []licence{{p.Licence}},
	}
	d.Components = []component{}
	for _, part := range parts {
		c, err := part.component()
		if err != nil {
			return nil, err
		}
		d.Components = append(d.Components, c)
	}
	slices.SortFunc(d.Components, func(a, b component) int { // of one that is there twice, what is inside comes first
		return cmp.Or(strings.Compare(a.Ref, b.Ref), strings.Compare(b.Scope, a.Scope))
	})
	d.Components = slices.CompactFunc(d.Components, func(a, b component) bool { return a.Ref == b.Ref })
	unnumbered, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("write bill of materials: %w", err)
	}
	d.Serial = serial(unnumbered)
	data, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write bill of materials: %w", err)
	}
	return append(data, '\n'), nil
}

// serial makes a number of the content, in the form of a UUID of version 8.
func serial(content []byte) string {
	sum := sha256.Sum256(content)
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80
	h := hex.EncodeToString(sum[:16])
	return "urn:uuid:" + strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, "-")
}

func (p Part) component() (component, error) {
	c := component{Type: "library", Name: p.Name, Version: p.Version, URL: p.address(), Scope: "required"}
	c.Ref = c.URL
	if !p.Inside {
		c.Scope = "excluded"
	}
	if p.Licence != "" {
		c.Licences = []licence{{p.Licence}}
	}
	if p.GoSum != "" {
		c.Properties = []property{{"turnwatch:go.sum", p.GoSum}}
	}
	if raw, ok := strings.CutPrefix(p.Integrity, "sha512-"); ok {
		sum, err := base64.StdEncoding.DecodeString(raw)
		if err != nil || len(sum) != 64 {
			return c, fmt.Errorf("write bill of materials: %s has no SHA-512 in %q", p.Name, p.Integrity)
		}
		c.Hashes = []hash{{"SHA-512", hex.EncodeToString(sum)}}
	}
	return c, nil
}

// address is the package URL.
func (p Part) address() string {
	escape := func(name string) string {
		parts := strings.Split(name, "/")
		for i, s := range parts {
			parts[i] = strings.NewReplacer("@", "%40", "+", "%2B").Replace(url.PathEscape(s))
		}
		return strings.Join(parts, "/")
	}
	switch p.From {
	case "go":
		return "pkg:golang/" + escape(strings.ToLower(p.Name)) + "@" + escape(p.Version)
	case "npm":
		return "pkg:npm/" + escape(strings.ToLower(p.Name)) + "@" + escape(p.Version)
	default:
		return "pkg:generic/" + escape(p.Name) + "@" + escape(p.Version)
	}
}
