/**
 * Writes drafts of replies to guests. `instructions` are Trailbook's prompt. `material` is JSON about the conversation
 * and contains untrusted text from guests: pass it to the model as data, and give the model no tools. A staff member
 * reviews each draft, and Trailbook never sends one automatically. If the call throws or takes longer than 30 seconds,
 * there is no draft.
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
