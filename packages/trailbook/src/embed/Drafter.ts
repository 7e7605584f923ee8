/**
 * What words drafts of replies. `instructions` are Trailbook's own; `material` is JSON
 * about the conversation, in which guests may have written anything: hand it over as
 * data, and give the model no tools. What it answers is shown to a person, and sent by
 * nobody. One that throws, or takes longer than half a minute, worded none.
 */
export interface Drafter {
  readonly draft: (prompt: { readonly instructions: string; readonly material: string }) => Promise<string>
}

/** A language model behind an OpenAI-compatible address. */
export interface LanguageModel {
  /** What `/chat/completions` is added to, such as `https://api.openai.com/v1`. */
  readonly url: string
  /** As the service calls it. */
  readonly model: string
  /** Left out where none is asked for. */
  readonly key?: string | undefined
}
