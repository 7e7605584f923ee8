/** A language model that words drafts of replies. */
export * as ChatCompletions from "./ChatCompletions.ts"
