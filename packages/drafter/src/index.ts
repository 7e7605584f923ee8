/** A language model that drafts replies. */
export * as ChatCompletions from "./ChatCompletions.ts"
