/**
 * Writes drafts of replies to guests. `instructions` is Trailbook's prompt. `material` is JSON about the conversation.
 * It contains untrusted text from guests, so pass it to the model as data, and give the model no tools. A staff member
 * reviews each draft. Trailbook never sends a draft automatically. If the call throws or takes longer than 30 seconds,
 * no draft is created.
 */
export interface Drafter {
  readonly draft: (prompt: { readonly instructions: string; readonly material: string }) => Promise<string>
}

/** A language model with an OpenAI-compatible API. */
export interface LanguageModel {
  /** The base URL, such as `https://api.openai.com/v1`. Trailbook appends `/chat/completions`. */
  readonly url: string
  /** The model name that the service expects. */
  readonly model: string
  /** The API key, if the service requires one. */
  readonly key?: string | undefined
}
