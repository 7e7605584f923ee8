/** Sentences that contain a checked construction for a reason. */
export const allowedSentences: ReadonlyArray<string> = []

/** Names that match the pattern and are terms of the field. */
export const allowedNames: ReadonlySet<string> = new Set<string>()

/** Areas that are not rewritten yet, with their strict hits today. The number may only fall. */
export const waiting: Readonly<Record<string, number>> = {}
