/**
 * Ids that people can tell apart in a list: a few words, a tilde, the id, as in
 * `browns-canyon-half-day~0198c5a2-…`.
 */

export const formatLabel = (words: string, id: string): string => {
  const plain = words.toLowerCase().normalize("NFKD").replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 40)
  return plain === "" ? id : `${plain}~${id}`
}

/** The id of a label; an id alone is one, too. */
export const parseLabel = (text: string): string => text.slice(text.lastIndexOf("~") + 1)
