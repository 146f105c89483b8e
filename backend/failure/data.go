package failure

import (
	"encoding/json"
	"strings"
)

// named reads the provider and the model that typed fields name, as far as both
// are ids: letters, digits and ._:/@+- in at most 128 bytes.
func named(data []byte) (provider, model string) {
	if len(data) == 0 {
		return "", ""
	}
	var d struct {
		Provider   any `json:"provider"`
		ProviderID any `json:"providerID"`
		Provider2  any `json:"provider_id"`
		Model      any `json:"model"`
		ModelID    any `json:"modelID"`
		Model2     any `json:"model_id"`
	}
	if json.Unmarshal(data, &d) != nil {
		return "", ""
	}
	return firstID(d.ProviderID, d.Provider2, d.Provider), firstID(d.ModelID, d.Model2, d.Model)
}

func firstID(values ...any) string {
	for _, v := range values {
		if s, ok := v.(string); ok && isID(s) {
			return s
		}
	}
	return ""
}

func isID(s string) bool {
	if s == "" || len(s) > 128 || strings.Contains(s, "://") || strings.HasPrefix(s, "wrk_") {
		return false
	}
	for i := range len(s) {
		if !alnum(s[i]|0x20) && strings.IndexByte("._:/@+-", s[i]) < 0 {
			return false
		}
	}
	return true
}
