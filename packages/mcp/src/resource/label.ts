/** Formats a readable ID for lists: a few words, a tilde, and the ID, as in `browns-canyon-half-day~0198c5a2-…`. */

export const formatLabel = (words: string, id: string): string => {
  const prefix = words.toLowerCase().normalize("NFKD").replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 40)
  return prefix === "" ? id : `${prefix}~${id}`
}

/** Returns the ID from a label. An ID alone is also a valid label. */
export const parseLabel = (text: string): string => text.slice(text.lastIndexOf("~") + 1)
