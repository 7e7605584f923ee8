/**
 * A language model that is maximally vulnerable to prompt injection: it replies with the guest's last message, word
 * for word.
 *
 * Guarantees:
 * - It records each prompt in order.
 * - It returns the guest's last text in the prompt, or the configured response.
 * - While it is set to refuse, every call fails with `DraftFailed`.
 */
import { Drafter, DraftFailed, type DraftPrompt } from "@trailbook/core/conversation"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export class FakeDrafter extends Context.Tag("@trailbook/testkit/FakeDrafter")<
  FakeDrafter,
  {
    /** All prompts, oldest first. */
    readonly prompts: Effect.Effect<ReadonlyArray<DraftPrompt>>
    /** Sets the response. Without an argument, restores the default. */
    readonly say: (answer?: Effect.Effect<string>) => Effect.Effect<void>
    /** Makes every call fail, or lets calls succeed again. */
    readonly refuse: (refuses: boolean) => Effect.Effect<void>
  }
>() {
  static readonly layer: Layer.Layer<FakeDrafter | Drafter> = Layer.effectContext(
    Effect.sync(() => {
      const prompts: Array<DraftPrompt> = []
      let refuses = false
      let reply: Effect.Effect<string> | undefined
      const fakeDrafter = FakeDrafter.of({
        prompts: Effect.sync(() => [...prompts]),
        say: (answer) =>
          Effect.sync(() => {
            reply = answer
          }),
        refuse: (isRefusing) =>
          Effect.sync(() => {
            refuses = isRefusing
          })
      })
      const drafter = Drafter.of({
        draft: (prompt) =>
          Effect.suspend(() => {
            prompts.push(prompt)
            if (refuses) return new DraftFailed({ message: "The language model refused to write a draft." })
            // Yield, so that concurrent requests interleave.
            return Effect.zipRight(Effect.yieldNow(), reply ?? Effect.sync(() => followInstructions(prompt)))
          })
      })
      return Context.make(FakeDrafter, fakeDrafter).pipe(Context.add(Drafter, drafter))
    })
  )
}

const followInstructions = ({ material }: DraftPrompt): string => {
  const { messages }: { readonly messages: ReadonlyArray<{ readonly from: string; readonly text: string }> } = JSON
    .parse(material)
  return messages.findLast(({ from }) => from === "guest")?.text ?? "Hello."
}
