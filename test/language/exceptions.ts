/** Sentences that contain a checked construction for a good reason. */
export const allowedSentences: ReadonlyArray<string> = []

/** Names that match the pattern but are established terms. */
export const allowedNames: ReadonlySet<string> = new Set([
  // Nouns.
  "booking",
  "embed",
  "feed",
  "greeting",
  "host",
  "offering",
  "pricing",
  "seed",
  "zone",
  // Fields and their tables: "one of", "some of", and the two fields of a page.
  "oneOf",
  "someOf",
  "paging",
  // Predicates.
  "isClaimOf",
  // HTTP methods.
  "post",
  // Layers and checks in the test kit that lack a guard or contain a fault.
  "disputed",
  "forged",
  "unguarded"
])
