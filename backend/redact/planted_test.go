package redact_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"turnwatch/backend/redact"
)

// planted are 200 secrets as texts have them, one a line. Each has CANARY or
// c0ffee where nothing of it may stay.
const planted = `sk-CANARY1234567890abcdef
sk-proj-CANARY_12-34567890
sk-ant-api03-CANARYabcdefgh
sk-or-v1-c0ffeec0ffeec0ffeec0ffee
sk_live_CANARY12345678
sk_test_CANARY12345678
rk_live_CANARY12345678
pk_live_CANARY12345678
whsec_CANARY1234567890
sess-CANARY1234567890
xai-CANARY1234567890
gsk_CANARY1234567890
pplx-CANARY1234567890
hf_CANARYabcdefghijkl
r8_CANARYabcdefghijkl
nvapi-CANARYabcdefghijkl
tgp_v1_CANARYabcdefghijkl
fw_CANARYabcdefghijkl
glpat-CANARY1234567890
gldt-CANARY1234567890
glrt-CANARY1234567890
glsa_CANARY1234567890
npm_CANARY1234567890abcdef
pypi-CANARY1234567890abcdef
dop_v1_CANARY1234567890
doo_v1_CANARY1234567890
shpat_CANARY1234567890
shpss_CANARY1234567890
shppa_CANARY1234567890
tvly-CANARY1234567890
ntn_CANARY1234567890
lin_api_CANARY1234567890
lsv2_pt_CANARY1234567890
figd_CANARY1234567890
sbp_CANARY1234567890
dckr_pat_CANARY1234567890
phc_CANARY1234567890
phx_CANARY1234567890
key-CANARY1234567890
rnd_CANARY1234567890
sntrys_CANARY1234567890
vercel_CANARY1234567890
PMAK-CANARY1234567890
EZAK-CANARY1234567890
GOCSPX-CANARY1234567890
AGE-SECRET-KEY-1CANARY1234567890
sq0atp-CANARY1234567890
sq0csp-CANARY1234567890
xapp-1-CANARY1234567890
fm1_CANARY1234567890
fm2_CANARY1234567890
nfp_CANARY1234567890
pul-CANARY1234567890
rubygems_CANARY1234567890
cio_CANARY1234567890
CFPAT-CANARY1234567890
ATATT-CANARY1234567890
atlasv1-CANARY1234567890
SG.CANARY1234.abcdefgh
hvs.CANARY1234567890
hvb.CANARY1234567890
AIzaSyCANARY0123456789
ya29.CANARY0123456789
1//0CANARY0123456789
AKIACANARY0123456789
ASIACANARY0123456789
AROACANARY0123456789
xoxb-CANARY-0123456789
xoxp-CANARY-0123456789
xoxe.xoxp-CANARY-0123456789
ghp_CANARY0123456789
gho_CANARY0123456789
ghs_CANARY0123456789
ghu_CANARY0123456789
ghr_CANARY0123456789
github_pat_CANARY0123456789
EAACANARY0123456789
dapiCANARY0123456789
ops_eyCANARY0123456789
eyJhbGciOi.eyJzdWIiOi.CANARYsig
eyJhbGciOi.CANARYpart
Bearer CANARY.abc-def
bearer CANARYabcdef
Basic CANARYabcdef=
Negotiate CANARYabcdef=
Authorization: Bearer CANARYxyz
Authorization: CANARYxyz
Authorization: Token CANARYxyz
"Authorization": "Bearer CANARYxyz"
proxy-authorization: Basic CANARYxyz
authorization=CANARYxyz
Authorization: Digest username="a", response="CANARY"
Authorization: AWS4-HMAC-SHA256 Credential=x, Signature=CANARY
Cookie: a=b; c=CANARY
Set-Cookie: sid=CANARY; Path=x
"cookie":"a=CANARY"
cookie=CANARY; b=CANARY
connect.sid=CANARY
JSESSIONID=CANARY
PHPSESSID=CANARY
X-Api-Key: CANARY
x-goog-api-key: CANARY
api-key: CANARY
api_key=CANARY
apikey=CANARY
apiKey: "CANARY"
{"api_key":"CANARY","n":1}
{\"api_key\":\"CANARY\"}
{'access_key': 'CANARY'}
{"clientSecret":"CANARY"}
{"refresh_token": "CANARY"}
{"id_token":"CANARY"}
{"password":"CANARY with blanks"}
client_secret=CANARY
AccountKey=CANARY
SharedAccessKey=CANARY
access_token=CANARY
token: CANARY
token=CANARY
TOKEN => CANARY
password: CANARY!x
password=CANARY
passwd=CANARY
Passphrase: CANARY
pwd=CANARY
Server=x;Password=CANARY;User=y
secret='CANARY here'
private_key: CANARY
signing key: CANARY
encryption-key=CANARY
credentials: CANARY
signature=CANARY
csrf_token=CANARY
X-Auth-Token: CANARY
session_key=CANARY
otp: CANARY
--password CANARY
--password=CANARY
--api-key CANARY
--token "CANARY x"
--user CANARY:x
-header CANARY
login CANARY password CANARY
Incorrect API key provided: CANARY*1.
the password is CANARY99
your token was CANARY_1
API key ending in CANARY9
OPENCODE_SERVER_PASSWORD=CANARY
ANTHROPIC_API_KEY="CANARY x"
MY_THING=CANARY
AWS_SECRET_ACCESS_KEY=CANARY/abc+def
HOME_DIR='CANARY x'
-----BEGIN RSA PRIVATE KEY----- CANARY MII -----END RSA PRIVATE KEY-----
-----BEGIN OPENSSH PRIVATE KEY----- CANARY
-----BEGIN PGP PRIVATE KEY BLOCK----- CANARY
-----BEGIN CERTIFICATE----- CANARY
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICANARY0123456789
CANARYCANARYCANARYCANARYCANARYCANARY
wJalrXUtnFEMI/K7MDENG/bPxRfiCANARYEXAMPLEKEY
c0ffeec0ffeec0ffeec0ffee
c0:ff:ee:c0:ff:ee:c0:ff:ee:00:c0ffee00:1
c0ffee00-1234-1234-1234-0123456789ab
https://CANARY.example/x
HTTPS://CANARY.example/x
hTTps://opencode.ai/workspace/wrk_CANARY/go
https:\/\/CANARY.example\/x
postgres://me:CANARY@db/x
mongodb+srv://CANARY:x@db
ftp://CANARY/x
file:///home/CANARY/x
ssh://git@CANARY/x
git+https://CANARY/x.git
wss://CANARY/x
mailto:CANARY@example.com
data:text/plain;base64,CANARY
www.CANARY.example/x
opencode.ai/workspace/CANARY/go
api.example.com:8443/v1/CANARY
localhost:8080/CANARY
127.0.0.1:9999/CANARY
https%3A%2F%2Fopencode.ai%2Fworkspace%2FCANARY
?key=CANARY
&sig=CANARY
CANARY.user+x@example.com
CANÄRY.CANARY@exämple.de
wrk_CANARY01
ses_CANARY0001
msg_CANARY0001
run_CANARY0001
req_CANARY0001
org_CANARY0001
org-CANARY123abc
acct_CANARY0001
user-CANARY1
proj_CANARY1
toolu_CANARY1
workspace-CANARY-1
account id: CANARY-1
"workspaceId":"CANARY1"
session id CANARY1
organization number CANARY77
organizations/CANARY1
projects/CANARY-1/x
arn:aws:iam::1:user/CANARY
/home/CANARY/x.go:12:3
cwd=/srv/CANARY/x
"/Users/Jo CANARY/x y"
/Users/Jo CANARY/x
~/CANARY/x
~CANARY/y
./CANARY/x
../../CANARY/x
$HOME/CANARY/x
${XDG_DATA}/CANARY
%APPDATA%\CANARY\x
C:\Users\Jo CANARY\x.txt
d:/work/CANARY/x
\\CANARY\share\x
\\?\C:\CANARY\x
\Users\CANARY\x
//server/CANARY/x`

func secrets() []string { return strings.Split(planted, "\n") }

// gone reports whether nothing of a planted secret is in a text.
func gone(text string) bool {
	return !strings.Contains(text, "CANARY") && !strings.Contains(text, "c0ffee")
}

func TestNoPlantedSecretSurvives(t *testing.T) {
	require.GreaterOrEqual(t, len(secrets()), 200)
	for _, s := range secrets() {
		require.False(t, gone(s), "a secret without its mark: %s", s)
		for _, frame := range []string{"%", "the provider said % and more", "Error: %", "(%)", "a,%", "one\n%\ntwo", "\x1b[31m%\x1b[0m", "(cause: %)"} {
			raw := strings.Replace(frame, "%", s, 1)
			assert.True(t, gone(redact.Text(raw)), "%q became %q", raw, redact.Text(raw))
		}
	}
}

// A secret is planted between two texts of any kind.
func FuzzPlanted(f *testing.F) {
	f.Add("before", "after", 0)
	f.Add("\"", "\"", 17)
	f.Add("key: {", "}", 101)
	f.Fuzz(func(t *testing.T, before, after string, n int) {
		all := secrets()
		secret := all[uint(n)%uint(len(all))]
		before, after = strings.NewReplacer("CANARY", "", "c0ffee", "").Replace(before), strings.NewReplacer("CANARY", "", "c0ffee", "").Replace(after)
		if got := redact.Text(before + " " + secret + " " + after); !gone(got) {
			t.Fatalf("%q between %q and %q became %q", secret, before, after, got)
		}
	})
}
