/**
 * The path of an address that is none of ours, for the log: enough to see what
 * was mistyped, and nothing of a person. Only plain words are shown, each in
 * letters of one kind; in the place of all else, such as ids, addresses, handles
 * and keys, is `…`. The query is left out.
 */
export const redactPath = (url: string): string => {
  const [, path = "/"] = /^(?:[a-z]+:\/\/[^/?#]*)?([^?#]*)/i.exec(url) ?? []
  const parts = path.split("/").slice(1)
  const shown = parts.slice(0, maxParts).map((part) => part === "" || word.test(part) ? part : "…")
  return `/${shown.join("/")}${parts.length > maxParts ? "/…" : ""}`
}

const maxParts = 8

// `v1`, `saved_replies`, `openapi.json`, `.well-known`. A handle of 22 letters and digits never looks so.
const word = /^(?=.{1,40}$)(?:v\d{1,2}|\.?(?:[a-z]+|[A-Z][a-z]*|[A-Z]+)(?:[._-](?:[a-z]+|[A-Z]+))*)$/
