/** Drafts replies with a language model. */
export * as ChatCompletions from "./ChatCompletions.ts"
