/**
 * Redacts an unknown path for the log. The result shows enough to recognize a typo but contains no personal data. Plain
 * words in a single case are kept. All other segments, such as IDs, email addresses, handles, and keys, are replaced
 * with `…`. The query is dropped.
 */
export const redactPath = (url: string): string => {
  const [, path = "/"] = /^(?:[a-z]+:\/\/[^/?#]*)?([^?#]*)/i.exec(url) ?? []
  const parts = path.split("/").slice(1)
  const visibleParts = parts.slice(0, maxParts).map((part) => part === "" || word.test(part) ? part : "…")
  return `/${visibleParts.join("/")}${parts.length > maxParts ? "/…" : ""}`
}

const maxParts = 8

// Matches `v1`, `saved_replies`, `openapi.json`, and `.well-known`, but never a 22-character handle.
const word = /^(?=.{1,40}$)(?:v\d{1,2}|\.?(?:[a-z]+|[A-Z][a-z]*|[A-Z]+)(?:[._-](?:[a-z]+|[A-Z]+))*)$/
